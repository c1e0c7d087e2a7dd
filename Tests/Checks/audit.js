// Runs in a world of its own: sideways overflow, contrast of text, size of targets. Returns plain data.
(() => {
  const canvas = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  const known = new Map();
  // Any CSS colour as [red, green, blue, alpha], by painting it.
  function rgba(colour) {
    if (!known.has(colour)) {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = "#000";
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      const data = canvas.getImageData(0, 0, 1, 1).data;
      known.set(colour, [data[0], data[1], data[2], data[3] / 255]);
    }
    return known.get(colour);
  }
  const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
  function luminance(c) {
    const [r, g, b] = c.slice(0, 3).map(v => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  }
  function ratio(a, b) {
    const [x, y] = [luminance(a), luminance(b)].sort((m, n) => n - m);
    return (x + 0.05) / (y + 0.05);
  }
  const probe = document.createElement("div");
  probe.style.backgroundColor = "Canvas";
  document.body.append(probe);
  const page = rgba(getComputedStyle(probe).backgroundColor);
  probe.remove();

  // What is painted behind an element: null behind a picture.
  function behind(element) {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.backgroundImage !== "none") return null;
      const colour = rgba(style.backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((below, top) => over(top, below), page);
  }
  function name(element) {
    let text = element.localName;
    if (element.id) text += "#" + element.id;
    if (element.classList.length) text += "." + [...element.classList].join(".");
    return text;
  }
  const width = document.documentElement.clientWidth;
  const result = { overflow: null, contrast: [], unknown: 0, texts: 0, lowest: 99, targets: [], focusable: 0 };

  if (document.documentElement.scrollWidth > Math.max(width, innerWidth)) {
    const wide = [];
    for (const element of document.body.querySelectorAll("*")) {
      const left = element.getBoundingClientRect().left;
      const inner = getComputedStyle(element).overflowX === "visible" ? left + element.scrollWidth : 0;
      if (Math.max(inner, element.getBoundingClientRect().right) <= width + 1) continue;
      let scrolls = false;
      for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
        scrolls ||= getComputedStyle(at).overflowX !== "visible";
      }
      if (!scrolls) wide.push(element);
    }
    // The innermost ones are to blame.
    const blame = wide.filter(element => !wide.some(other => other !== element && element.contains(other)));
    result.overflow = { scroll: document.documentElement.scrollWidth, width, wide: blame.slice(0, 4).map(name) };
  }

  const pictures = [...document.querySelectorAll("img, video, canvas")].map(e => e.getBoundingClientRect());
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  for (let node = walker.nextNode(); node && result.texts < 6000; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !element.checkVisibility({ visibilityProperty: true })) continue;
    if (element.closest("script, style, noscript, template, [disabled], [aria-disabled=true]")) continue;
    range.selectNodeContents(node);
    const box = range.getBoundingClientRect();
    const style = getComputedStyle(element);
    if (box.width < 2 || box.height < 2 || style.clipPath.startsWith("inset(5") || style.clip === "rect(0px, 0px, 0px, 0px)") continue;
    let hidden = false;
    for (let at = element, n = 0; at && n < 6; at = at.parentElement, n++) {
      const outer = at.getBoundingClientRect();
      hidden ||= (outer.width <= 1 || outer.height <= 1) && getComputedStyle(at).overflow !== "visible";
    }
    if (hidden) continue;
    result.texts++;
    const x = box.x + box.width / 2, y = box.y + box.height / 2;
    const background = pictures.some(p => p.width && x > p.left && x < p.right && y > p.top && y < p.bottom) ? null : behind(element);
    if (!background) { result.unknown++; continue; }
    let colour = rgba(style.color).slice();
    for (let at = element; at; at = at.parentElement) colour[3] *= Number(getComputedStyle(at).opacity);
    if (colour[3] < 0.05) continue;  // not shown now, such as a time that appears on hover
    const found = ratio(over(colour, background), background);
    const size = parseFloat(style.fontSize);
    const needed = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    result.lowest = Math.min(result.lowest, found);
    if (found < needed) {
      result.contrast.push({ name: name(element), text: node.data.trim().slice(0, 40), ratio: found, needed });
    }
  }

  // WCAG 2.2, 2.5.8: 24 by 24 pixels, or room for that; links in a sentence are free.
  const targets = [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea, summary, label[for]")]
    .filter(e => e.checkVisibility({ visibilityProperty: true }))
    .map(e => ({ element: e, box: e.getBoundingClientRect() }))
    .filter(t => t.box.width > 1 && t.box.height > 1);
  result.focusable = targets.length;
  for (const { element, box } of targets) {
    if (box.width >= 23.5 && box.height >= 23.5) continue;
    const inline = getComputedStyle(element).display === "inline";
    const around = element.parentElement ? element.parentElement.textContent.trim() : "";
    if (inline && around.length > element.textContent.trim().length) continue;
    const x = box.x + box.width / 2, y = box.y + box.height / 2;
    const near = targets.find(other => {
      if (other.element === element || other.element.contains(element) || element.contains(other.element)) return false;
      const dx = Math.max(other.box.left - x, 0, x - other.box.right);
      const dy = Math.max(other.box.top - y, 0, y - other.box.bottom);
      const small = other.box.width < 23.5 || other.box.height < 23.5;
      if (!small) return Math.hypot(dx, dy) < 12;
      return Math.hypot(other.box.x + other.box.width / 2 - x, other.box.y + other.box.height / 2 - y) < 24;
    });
    if (near) {
      result.targets.push({ name: name(element), text: element.textContent.trim().slice(0, 30),
        width: Math.round(box.width), height: Math.round(box.height), near: name(near.element) });
    }
  }
  return result;
})()
