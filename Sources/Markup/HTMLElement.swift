import CGumbo

/// What an element of the allow-list becomes; all others are left out.
enum HTMLElement {
  /// A block that holds blocks or text.
  case block(HTMLBlock)
  /// A heading of that level, before the shift.
  case heading(Int)
  /// Marks text within a block.
  case inline(HTMLInline)
  case lineBreak
  case wordBreak
  case rule
  case image
  /// Something embedded from elsewhere, which becomes a link.
  case embed
  /// Left out, its content stays.
  case transparent
  /// Left out with its content.
  case dropped

  init(_ tag: GumboTag) {
    self = Self.block(for: tag) ?? Self.inline(for: tag) ?? Self.other(tag)
  }

  private static func block(for tag: GumboTag) -> HTMLElement? {
    switch tag {
    case GUMBO_TAG_P, GUMBO_TAG_SUMMARY: .block(.p)
    case GUMBO_TAG_DIV, GUMBO_TAG_SECTION, GUMBO_TAG_ARTICLE, GUMBO_TAG_MAIN, GUMBO_TAG_HEADER,
      GUMBO_TAG_FOOTER, GUMBO_TAG_ASIDE, GUMBO_TAG_NAV, GUMBO_TAG_CENTER, GUMBO_TAG_ADDRESS,
      GUMBO_TAG_DETAILS, GUMBO_TAG_FIELDSET, GUMBO_TAG_FORM, GUMBO_TAG_HGROUP:
      .block(.div)
    case GUMBO_TAG_BLOCKQUOTE: .block(.blockquote)
    case GUMBO_TAG_PRE, GUMBO_TAG_LISTING, GUMBO_TAG_XMP, GUMBO_TAG_PLAINTEXT: .block(.pre)
    case GUMBO_TAG_UL, GUMBO_TAG_DIR, GUMBO_TAG_MENU: .block(.ul)
    case GUMBO_TAG_OL: .block(.ol)
    case GUMBO_TAG_LI: .block(.li)
    case GUMBO_TAG_DL: .block(.dl)
    case GUMBO_TAG_DT: .block(.dt)
    case GUMBO_TAG_DD: .block(.dd)
    case GUMBO_TAG_FIGURE: .block(.figure)
    case GUMBO_TAG_FIGCAPTION: .block(.figcaption)
    case GUMBO_TAG_TABLE: .block(.table)
    case GUMBO_TAG_CAPTION: .block(.caption)
    case GUMBO_TAG_THEAD: .block(.thead)
    case GUMBO_TAG_TBODY: .block(.tbody)
    case GUMBO_TAG_TFOOT: .block(.tfoot)
    case GUMBO_TAG_TR: .block(.tr)
    case GUMBO_TAG_TD: .block(.td)
    case GUMBO_TAG_TH: .block(.th)
    case GUMBO_TAG_H1: .heading(1)
    case GUMBO_TAG_H2: .heading(2)
    case GUMBO_TAG_H3: .heading(3)
    case GUMBO_TAG_H4: .heading(4)
    case GUMBO_TAG_H5: .heading(5)
    case GUMBO_TAG_H6: .heading(6)
    default: nil
    }
  }

  private static func inline(for tag: GumboTag) -> HTMLElement? {
    switch tag {
    case GUMBO_TAG_A: .inline(.a)
    case GUMBO_TAG_B: .inline(.b)
    case GUMBO_TAG_STRONG: .inline(.strong)
    case GUMBO_TAG_I: .inline(.i)
    case GUMBO_TAG_EM: .inline(.em)
    case GUMBO_TAG_U: .inline(.u)
    case GUMBO_TAG_S, GUMBO_TAG_STRIKE: .inline(.s)
    case GUMBO_TAG_DEL: .inline(.del)
    case GUMBO_TAG_INS: .inline(.ins)
    case GUMBO_TAG_CODE, GUMBO_TAG_TT: .inline(.code)
    case GUMBO_TAG_KBD: .inline(.kbd)
    case GUMBO_TAG_SAMP: .inline(.samp)
    case GUMBO_TAG_VAR: .inline(.var)
    case GUMBO_TAG_SUB: .inline(.sub)
    case GUMBO_TAG_SUP: .inline(.sup)
    case GUMBO_TAG_SMALL: .inline(.small)
    case GUMBO_TAG_MARK: .inline(.mark)
    case GUMBO_TAG_Q: .inline(.q)
    case GUMBO_TAG_CITE: .inline(.cite)
    case GUMBO_TAG_DFN: .inline(.dfn)
    case GUMBO_TAG_ABBR, GUMBO_TAG_ACRONYM: .inline(.abbr)
    case GUMBO_TAG_BDI: .inline(.bdi)
    case GUMBO_TAG_RUBY: .inline(.ruby)
    case GUMBO_TAG_RT: .inline(.rt)
    case GUMBO_TAG_RP: .inline(.rp)
    default: nil
    }
  }

  private static func other(_ tag: GumboTag) -> HTMLElement {
    switch tag {
    case GUMBO_TAG_BR: .lineBreak
    case GUMBO_TAG_WBR: .wordBreak
    case GUMBO_TAG_HR: .rule
    case GUMBO_TAG_IMG, GUMBO_TAG_IMAGE: .image
    case GUMBO_TAG_IFRAME, GUMBO_TAG_EMBED, GUMBO_TAG_OBJECT, GUMBO_TAG_VIDEO, GUMBO_TAG_AUDIO:
      .embed
    case GUMBO_TAG_SCRIPT, GUMBO_TAG_STYLE, GUMBO_TAG_TEMPLATE, GUMBO_TAG_NOSCRIPT,
      GUMBO_TAG_NOEMBED, GUMBO_TAG_NOFRAMES, GUMBO_TAG_TITLE, GUMBO_TAG_HEAD, GUMBO_TAG_META,
      GUMBO_TAG_LINK, GUMBO_TAG_BASE, GUMBO_TAG_APPLET, GUMBO_TAG_FRAME, GUMBO_TAG_FRAMESET,
      GUMBO_TAG_INPUT, GUMBO_TAG_COL, GUMBO_TAG_COLGROUP, GUMBO_TAG_PARAM, GUMBO_TAG_SOURCE,
      GUMBO_TAG_TRACK, GUMBO_TAG_BGSOUND, GUMBO_TAG_CANVAS, GUMBO_TAG_SVG:
      .dropped
    default: .transparent
    }
  }
}

/// The blocks that are written.
enum HTMLBlock: Sendable {
  case p, div, blockquote, pre, ul, ol, li, dl, dt, dd, figure, figcaption
  case table, caption, thead, tbody, tfoot, tr, td, th
  case h1, h2, h3, h4, h5, h6

  /// The heading of a level from 1 to 6.
  static func heading(_ level: Int) -> HTMLBlock {
    switch level {
    case ...1: .h1
    case 2: .h2
    case 3: .h3
    case 4: .h4
    case 5: .h5
    default: .h6
    }
  }

  var name: StaticString {
    switch self {
    case .p: "p"
    case .div: "div"
    case .blockquote: "blockquote"
    case .pre: "pre"
    case .ul: "ul"
    case .ol: "ol"
    case .li: "li"
    case .dl: "dl"
    case .dt: "dt"
    case .dd: "dd"
    case .figure: "figure"
    case .figcaption: "figcaption"
    case .table: "table"
    case .caption: "caption"
    case .thead: "thead"
    case .tbody: "tbody"
    case .tfoot: "tfoot"
    case .tr: "tr"
    case .td: "td"
    case .th: "th"
    case .h1: "h1"
    case .h2: "h2"
    case .h3: "h3"
    case .h4: "h4"
    case .h5: "h5"
    case .h6: "h6"
    }
  }

  var isHeading: Bool {
    switch self {
    case .h1, .h2, .h3, .h4, .h5, .h6: true
    default: false
    }
  }

  /// Whether only text may stand inside (phrasing content).
  var holdsOnlyText: Bool {
    switch self {
    case .p, .pre, .dt, .caption, .h1, .h2, .h3, .h4, .h5, .h6: true
    default: false
    }
  }

  /// Whether text may not stand directly inside.
  var holdsNoText: Bool {
    switch self {
    case .ul, .ol, .dl, .table, .thead, .tbody, .tfoot, .tr: true
    default: false
    }
  }

  var isTablePart: Bool {
    switch self {
    case .table, .thead, .tbody, .tfoot, .tr: true
    default: false
    }
  }
}

/// The elements inside a line that are written.
enum HTMLInline: Sendable {
  case a, b, strong, i, em, u, s, del, ins, code, kbd, samp, `var`, sub, sup, small, mark, q, cite
  case dfn, abbr, bdi, ruby, rt, rp

  var name: StaticString {
    switch self {
    case .a: "a"
    case .b: "b"
    case .strong: "strong"
    case .i: "i"
    case .em: "em"
    case .u: "u"
    case .s: "s"
    case .del: "del"
    case .ins: "ins"
    case .code: "code"
    case .kbd: "kbd"
    case .samp: "samp"
    case .var: "var"
    case .sub: "sub"
    case .sup: "sup"
    case .small: "small"
    case .mark: "mark"
    case .q: "q"
    case .cite: "cite"
    case .dfn: "dfn"
    case .abbr: "abbr"
    case .bdi: "bdi"
    case .ruby: "ruby"
    case .rt: "rt"
    case .rp: "rp"
    }
  }
}
