"""Redraws the pictures of the sample archive (Content/media) from nothing but numbers.
Needs Pillow, numpy, rsvg-convert and the fonts "AR PL UKai TW" (Debian: fonts-arphic-ukai)."""
import io, math, os, random, subprocess, sys
import numpy as np
from PIL import Image

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "Content")
KAI = "AR PL UKai TW, AR PL UKai, Noto Serif CJK TC, serif"
PAPER, INK, MOSS, PINE, MIST = "#f3ecdd", "#2e3a3c", "#8a9a6b", "#3f5d4f", "#d5dfd8"
PEACH, CLAY, GOLD, INDIGO, ROSE = "#efc9a5", "#bf6a4a", "#dba94b", "#33466a", "#d99a96"


def smooth(points, closed=False):
    """A Catmull-Rom curve through the points, as path data."""
    n = len(points)
    at = (lambda i: points[i % n]) if closed else (lambda i: points[max(0, min(n - 1, i))])
    d = [f"M{points[0][0]:.1f} {points[0][1]:.1f}"]
    for i in range(n if closed else n - 1):
        a, b, c, e = at(i - 1), at(i), at(i + 1), at(i + 2)
        d.append(f"C{b[0]+(c[0]-a[0])/6:.1f} {b[1]+(c[1]-a[1])/6:.1f} "
                 f"{c[0]-(e[0]-b[0])/6:.1f} {c[1]-(e[1]-b[1])/6:.1f} {c[0]:.1f} {c[1]:.1f}")
    return " ".join(d) + ("Z" if closed else "")


def path(d, fill="none", stroke=None, width=0, more=""):
    s = f' stroke="{stroke}" stroke-width="{width}" stroke-linecap="round" stroke-linejoin="round"' if stroke else ""
    return f'<path d="{d}" fill="{fill}"{s} {more}/>'


def poly(points, fill, more=""):
    return path("M" + " L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z", fill, more=more)


def rect(x, y, w, h, fill, r=0, more=""):
    return f'<rect x="{x}" y="{y}" width="{w}" height="{h}" rx="{r}" fill="{fill}" {more}/>'


def dot(x, y, r, fill, more=""):
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{r:.1f}" fill="{fill}" {more}/>'


def oval(x, y, rx, ry, fill, more=""):
    return f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{rx:.1f}" ry="{ry:.1f}" fill="{fill}" {more}/>'


def line(points, colour, width, more=""):
    return path(smooth(points), stroke=colour, width=width, more=more)


def text(x, y, words, size, fill=INK, more=""):
    return (f'<text x="{x}" y="{y}" font-family="{KAI}" font-size="{size}" fill="{fill}" {more}>'
            f'{words}</text>')


def upright(x, y, words, size, fill=INK):
    return "".join(text(x, y + i * size * 1.08, c, size, fill, 'text-anchor="middle"') for i, c in enumerate(words))


def group(body, more=""):
    return f"<g {more}>{body}</g>"


def fade(name, top, bottom, mid=None):
    stops = [(0, top)] + ([(0.55, mid)] if mid else []) + [(1, bottom)]
    return (f'<linearGradient id="{name}" x1="0" y1="0" x2="0" y2="1">'
            + "".join(f'<stop offset="{o}" stop-color="{c}"/>' for o, c in stops) + "</linearGradient>")


def ridge(rnd, w, base, height, bottom, rough=0.55, parts=7):
    """The outline of a hill: midpoint displacement, closed at the bottom."""
    ys = [rnd.uniform(-0.4, 1) * height for _ in range(3)]
    spread = height
    for _ in range(parts - 2):
        spread *= rough
        ys = [v for a, b in zip(ys, ys[1:]) for v in (a, (a + b) / 2 + rnd.uniform(-1, 1) * spread)] + [ys[-1]]
    step = (w + 80) / (len(ys) - 1)
    top = [(-40 + i * step, base - y) for i, y in enumerate(ys)]
    return top, path(smooth(top)[0:] + f" L{w+40} {bottom} L-40 {bottom}Z", "{fill}")


def hand(seed, rough=7, grain=0.013):
    """Edges as if cut or drawn by hand."""
    return (f'<filter id="hand" x="-5%" y="-5%" width="110%" height="110%">'
            f'<feTurbulence type="fractalNoise" baseFrequency="{grain}" numOctaves="3" seed="{seed}"/>'
            f'<feDisplacementMap in="SourceGraphic" scale="{rough}" xChannelSelector="R" yChannelSelector="G"/></filter>')


PICTURES = {}


def picture(name, w, h, rough=7, grain=0.013, scale=1, colours=56, out=None):
    def keep(f):
        PICTURES[name] = (f, w, h, rough, grain, scale, colours, out)
        return f
    return keep


def few(image, colours):
    """A palette in which a small red roof counts for almost as much as a wide field."""
    seen, counts = np.unique(np.asarray(image).reshape(-1, 3) // 4 * 4 + 2, axis=0, return_counts=True)
    common = counts > image.width * image.height // 80_000
    seen, counts = seen[common], counts[common]
    sample = np.repeat(seen, np.ceil(counts ** .42).astype(int), axis=0).astype("uint8")
    palette = Image.fromarray(sample[None]).quantize(colours, Image.Quantize.MEDIANCUT, kmeans=4)
    return image.quantize(palette=palette, dither=Image.Dither.NONE)


def save(name):
    f, w, h, rough, grain, scale, colours, out = PICTURES[name]
    seed = sum(name.encode()) % 997
    defs, body = f(random.Random(seed), w, h)
    svg = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{w+40}" height="{h+40}" viewBox="-20 -20 {w+40} {h+40}"><defs>'
           f'{hand(seed, rough, grain)}{defs}</defs><g filter="url(#hand)">{body}</g></svg>')
    png = subprocess.run(["rsvg-convert", "-z", "2"], input=svg.encode(), stdout=subprocess.PIPE, check=True).stdout
    image = Image.open(io.BytesIO(png)).convert("RGB").crop((40, 40, 2 * w + 40, 2 * h + 40)).resize((round(w * scale), round(h * scale)), Image.LANCZOS)
    target = os.path.join(ROOT, out or "media", name)
    os.makedirs(os.path.dirname(target), exist_ok=True)
    limit = 58_000
    if name.endswith(".png"):
        while True:
            few(image, colours).save(target, optimize=True)
            if os.path.getsize(target) <= limit or colours <= 12:
                break
            colours -= 8
    else:
        noise = np.random.default_rng(seed).normal(0, 1, (image.height // 3 + 1, image.width // 3 + 1))
        noise = np.asarray(Image.fromarray((noise * 30 + 128).clip(0, 255).astype("uint8"))
                           .resize(image.size, Image.BICUBIC), float) - 128
        image = Image.fromarray((np.asarray(image, float) + noise[..., None] * 0.055).clip(0, 255).astype("uint8"))
        kind, quality = ("WEBP", {"method": 6}) if name.endswith(".webp") else ("JPEG", {"optimize": True, "progressive": True})
        q = 86
        while True:
            image.save(target, kind, quality=q, **quality)
            if os.path.getsize(target) <= limit:
                break
            q -= 3
    print(f"{os.path.getsize(target):7d}  {image.width}x{image.height}  {name}")


def sitter(x, y, s, coat):
    """A small person, seated, seen from behind."""
    return (path(f"M{x-10*s} {y} Q{x-11*s} {y-18*s} {x} {y-20*s} Q{x+11*s} {y-18*s} {x+10*s} {y}Z", coat)
            + dot(x, y - 25 * s, 6.5 * s, "#d9c3a8"))


@picture("ridge-dawn.jpg", 1200, 800)
def ridge_dawn(rnd, w, h):
    body = rect(-40, -40, w + 80, h + 80, "url(#sky)")
    body += dot(770, 372, 150, "#f9dcae", 'opacity=".35"') + dot(770, 372, 96, "#fbe3b8", 'opacity=".6"') + dot(770, 372, 52, "#fff1d0")
    for x, y, l in [(90, 150, 260), (420, 96, 190), (820, 190, 300), (300, 236, 150)]:
        body += oval(x + l / 2, y, l / 2, 5, "#f6dcc0", 'opacity=".5"') + oval(x + l * .42, y - 8, l * .24, 4, "#f6dcc0", 'opacity=".4"')
    tones = ["#c9b3b4", "#a99fae", "#838ba2", "#5d738b", "#3d5a6b", "#274350", "#182e38"]
    for i, tone in enumerate(tones):
        top, shape = ridge(rnd, w, 400 + i * 58, 62 + i * 9, h + 30, .5)
        body += shape.replace("{fill}", tone)
        if i < 5:
            body += path(smooth([(x, y + 46 + 5 * i) for x, y in top[::4]]) + f" L{w+40} {h} L-40 {h}Z", "#f2d8c4", more='opacity=".13"')
    near = [(-40, 742), (150, 716), (330, 706), (520, 722), (760, 746), (1000, 770), (1240, 790)]
    body += path(smooth(near) + f" L1240 840 L-40 840Z", "#101f26")
    for x, y, c in [(216, 713, CLAY), (262, 710, "#52707a"), (312, 708, GOLD), (360, 710, "#7c8f6c"), (424, 716, ROSE)]:
        body += sitter(x, y, 1.25, c)
    for _ in range(70):
        x = rnd.uniform(0, w); y = 712 + abs(x - 330) * .075
        body += line([(x, y + 30), (x + rnd.uniform(-8, 12), y - rnd.uniform(0, 18))], "#101f26", 3)
    return fade("sky", "#6f7f9f", "#f7d3a6", "#dcbcae"), body


@picture("noodle-bowl.jpg", 1200, 900, 8)
def noodle_bowl(rnd, w, h):
    body = rect(-40, -40, w + 80, h + 80, "#c99a6b")
    for i in range(9):
        y = i * 106 + 20
        body += rect(-20, y, w + 40, 3, "#a97b50", more='opacity=".6"')
        for _ in range(5):
            x = rnd.uniform(0, w); l = rnd.uniform(90, 280); yy = y + rnd.uniform(20, 90)
            body += line([(x, yy), (x + l / 2, yy + rnd.uniform(-5, 5)), (x + l, yy)], "#b98a5d", 4, 'opacity=".55"')
    cx, cy = 560, 460
    body += oval(cx + 18, cy + 26, 362, 356, "#8f6543", 'opacity=".5"')
    body += dot(cx, cy, 356, "#f5f1e6") + dot(cx, cy, 340, "none", 'stroke="#3e5c86" stroke-width="7"')
    for i in range(40):
        a = i / 40 * math.tau
        x, y = cx + 322 * math.cos(a), cy + 322 * math.sin(a)
        body += f'<g transform="translate({x:.1f} {y:.1f}) rotate({math.degrees(a)+90:.1f})">' + path("M-18 4 Q-9 -10 0 4 Q9 14 18 4", stroke="#3e5c86", width=5) + "</g>"
    body += dot(cx, cy, 298, "#e8ddc6") + dot(cx, cy, 284, "#6d4229") + dot(cx, cy + 4, 276, "#84512f")
    noodles = ""
    for i in range(230):
        a, r = rnd.uniform(0, math.tau), 222 * rnd.random() ** .6
        x, y, t = cx + r * math.cos(a), cy + r * math.sin(a), rnd.uniform(0, math.tau)
        bend, l = rnd.uniform(-70, 70), rnd.uniform(110, 230)
        pts = [(x + (s - .5) * l * math.cos(t) - bend * math.sin(s * math.pi) * math.sin(t),
                y + (s - .5) * l * math.sin(t) + bend * math.sin(s * math.pi) * math.cos(t)) for s in (0, .25, .5, .75, 1)]
        noodles += line(pts, "#b98343", 15) + line(pts, rnd.choice(["#f0d08c", "#eac77d", "#f5dc9f"]), 10.5)
    body += f'<g clip-path="url(#bowl)">{noodles}</g>'
    for i in range(5):      # greens
        x, y = cx - 150 + i * 26, cy + 96 + i * 19
        body += line([(x - 74, y + 42), (x - 10, y + 12), (x + 56, y - 42)], "#9dbb74", 15) + path(smooth([(x + 30, y - 24), (x + 62, y - 92), (x + 122, y - 98), (x + 106, y - 34)], True), rnd.choice(["#4f7a45", "#3f6a3f", "#5d8a4c"]))
    ex, ey = cx + 104, cy - 92   # braised egg
    body += oval(ex + 5, ey + 9, 92, 76, "#5d3a22", 'opacity=".5"') + oval(ex, ey, 90, 74, "#9a6236") + oval(ex, ey, 80, 64, "#f7ecd6") + oval(ex + 4, ey + 2, 46, 39, "#e0902f") + oval(ex - 6, ey - 8, 20, 14, "#efb052")
    for _ in range(44):
        a, r = rnd.uniform(0, math.tau), rnd.uniform(20, 210)
        x, y = cx + r * math.cos(a), cy + r * math.sin(a)
        if math.hypot(x - ex, (y - ey) * 1.2) > 100:
            body += dot(x, y, 10, "#6f9a4a") + dot(x, y, 4.5, "#dbe6b6")
    for k, dx in ((0, 0), (1, 42)):
        body += line([(860 + dx, 40), (1000 + dx * .8, 420), (1120 + dx * .4, 812)], "#6b3f2a", 21) + line([(860 + dx, 40), (1000 + dx * .8, 420), (1120 + dx * .4, 812)], "#8c5236", 12)
    body += dot(146, 188, 98, "#8f6543", 'opacity=".4"') + dot(136, 174, 98, "#f2ecdf") + dot(136, 174, 76, "#a83e2c") + dot(128, 166, 60, "#bf4f35")
    for _ in range(44):
        a, r = rnd.uniform(0, math.tau), rnd.uniform(0, 58)
        body += dot(132 + r * math.cos(a), 170 + r * math.sin(a), rnd.uniform(2.5, 5), rnd.choice(["#e8b65a", "#7d2418", "#e3c07a"]))
    return f'<clipPath id="bowl"><circle cx="{cx}" cy="{cy+2}" r="268"/></clipPath>', body


def cat(x, y, s, tail=True, colour="#fbf8f0"):
    """A white cat, seated, facing us."""
    shade = "#e3dccd"
    g = path("M52 120 C108 118 112 60 84 52", stroke=colour, width=21) if tail else ""
    g += path("M-52 128 C-66 60 -42 16 0 14 C42 16 66 60 52 128Z", colour)
    g += path("M-22 128 L-20 84 M22 128 L20 84", stroke=shade, width=4)
    g += poly([(-50, -34), (-46, -92), (-12, -64)], colour) + poly([(50, -34), (46, -92), (12, -64)], colour)
    g += poly([(-42, -50), (-41, -78), (-22, -62)], ROSE) + poly([(42, -50), (41, -78), (22, -62)], ROSE)
    g += oval(0, -24, 60, 48, colour)
    g += oval(-23, -28, 6.5, 9, INK) + oval(23, -28, 6.5, 9, INK) + dot(-21, -31, 2.2, "#fff") + dot(25, -31, 2.2, "#fff")
    g += path("M-6 -13 L6 -13 L0 -6Z", "#c98482") + path("M0 -6 Q-3 4 -13 1 M0 -6 Q3 4 13 1", stroke=INK, width=3)
    for side in (-1, 1):
        g += path(f"M{side*30} -12 L{side*76} -20 M{side*30} -6 L{side*76} -3", stroke="#b9b1a2", width=2.2)
    g += path("M-37 -60 C-34 -102 34 -102 37 -60 Q0 -72 -37 -60Z", CLAY) + path("M-46 -57 Q0 -76 46 -57", stroke="#9d4f35", width=8) + dot(0, -95, 9, GOLD)
    return f'<g transform="translate({x} {y}) scale({s})">{g}</g>'


@picture("cat-scooter.png", 1000, 1000, 8)
def cat_scooter(rnd, w, h):
    body = rect(-40, -40, 1080, 1080, "#e9dcc3")
    fronts = [(-20, 270, "#d8b79a", "#b9866b"), (250, 300, "#cdd2bf", "#94a083"), (550, 230, "#e3c58f", "#c29b58"), (780, 250, "#c9b6a8", "#9a8375")]
    for x, width, wall, dark in fronts:
        body += rect(x, -20, width, 760, wall) + rect(x, 316, width, 26, dark)
        for i in range(2):
            wx = x + 36 + i * (width / 2 - 8)
            body += rect(wx, 70, width / 2 - 62, 170, "#7f969a", 4) + rect(wx, 70, width / 2 - 62, 10, dark)
            for k in range(5):
                body += rect(wx + 6 + k * (width / 2 - 74) / 4, 80, 3, 160, PAPER, more='opacity=".75"')
            body += rect(wx + 8, 250, width / 2 - 78, 18, dark) + "".join(oval(wx + 20 + k * 24, 246, 16, 17, rnd.choice([PINE, MOSS, "#6d8457"])) for k in range(int((width / 2 - 80) / 24)))
        body += rect(x + 22, 380, width - 44, 360, "#4b4a45") + rect(x + 22, 380, width - 44, 360, dark, more='opacity=".45"')
    for k in range(9):
        body += rect(576, 392 + k * 26, 180, 15, "#a98a57", more='opacity=".6"')
    body += rect(268, 396, 264, 54, "#b24a37", 6) + text(438, 436, "文山豆漿", 40, "#fbf1da", 'text-anchor="middle"')
    body += rect(170, 120, 66, 226, "#f6efdd", 6) + rect(170, 120, 66, 226, "none", 6, f'stroke="{CLAY}" stroke-width="6"') + upright(203, 178, "早餐店", 50, CLAY)
    body += rect(-20, 730, 1040, 20, "#b9ac97") + rect(-20, 746, 1040, 280, "#a59f94")
    body += rect(-20, 750, 1040, 60, "#bcb4a5") + "".join(rect(i * 190 - 40, 930, 110, 15, "#ece4d2") for i in range(7))
    body += oval(510, 880, 350, 24, "#7d776d")
    for x in (270, 752):
        body += dot(x, 800, 88, "#33373a") + dot(x, 800, 57, "#c8c7c0") + dot(x, 800, 45, "#8f938f") + dot(x, 800, 14, "#33373a")
    g1, g2, g3 = "#6fa08a", "#568772", "#84b39c"
    body += path("M300 776 C420 800 520 800 640 776 L636 726 L360 726Z", g2)
    body += path("M560 740 C560 640 610 596 700 590 L838 590 C880 640 876 700 850 738 C800 690 716 690 676 760 L560 776Z", g1)
    body += path("M622 590 C680 552 812 552 866 580 C866 606 840 610 800 610 L640 610Z", "#4a3a34")
    body += path("M838 640 L896 634 L896 668 L846 676Z", "#c8553d") + rect(690, 640, 110, 16, g3, 8)
    body += path("M372 744 C352 620 318 520 282 416 L326 404 C378 500 410 640 416 744Z", g1) + path("M296 470 C250 560 226 650 214 724 C240 700 286 694 330 706 L352 640Z", g3)
    body += path("M200 748 C204 690 330 676 350 752 C310 716 244 716 200 748Z", g2)
    body += line([(236, 380), (300, 396), (372, 388)], "#3b4144", 15) + line([(350, 389), (398, 384)], "#22282b", 22)
    body += path("M252 396 C240 440 270 474 312 472 L334 412Z", g2) + dot(266, 434, 24, "#f4e6b6") + dot(266, 434, 24, "none", 'stroke="#3b4144" stroke-width="5"')
    body += line([(318, 396), (330, 340), (326, 310)], "#3b4144", 8) + oval(322, 296, 32, 24, "#3b4144") + oval(322, 296, 24, 17, "#b8cbd0")
    body += cat(496, 604, 1.06)
    return "", body


@picture("xianjiyan-map.png", 1000, 1200, 6, .02, colours=40)
def map_sketch(rnd, w, h):
    body = rect(-40, -40, 1080, 1280, "#f4ecd8")
    for i, r in enumerate((345, 290, 236, 184, 134, 88, 44)):
        pts = []
        for k in range(18):
            a = k / 18 * math.tau
            rr = r * (1 + .16 * math.sin(2 * a + 1) + .07 * math.sin(5 * a + i * .25))
            pts.append((640 + rr * 1.0 * math.cos(a), 490 + rr * .84 * math.sin(a)))
        body += path(smooth(pts, True), ["#e6e6c9", "#dbe0bd", "#cfd8b0", "#c3cea2", "#b6c494", "#a9b987", "#9dae7b"][i], "#8c9a6d", 2.5)
    river = [(-60, 930), (110, 975), (230, 1060), (330, 1150), (400, 1270)]
    body += line(river, "#a9c6c8", 62) + line([(x + 4, y) for x, y in river], "#c3d9d8", 40)
    body += text(40, 1100, "景美溪", 38, "#55808a", 'transform="rotate(32 40 1100)"')
    body += line([(1030, 960), (720, 950), (420, 905), (160, 640), (-20, 560)], "#dfcdab", 30) + line([(1030, 960), (720, 950), (420, 905), (160, 640), (-20, 560)], "#f7efdc", 20)
    body += text(840, 1002, "景興路", 32, "#8b7754")
    trail = [(352, 850), (416, 810), (452, 760), (424, 704), (470, 660), (560, 690), (610, 645), (574, 580), (600, 510), (690, 530), (716, 462), (654, 440), (640, 486)]
    body += line(trail, PAPER, 15) + line(trail, "#c0543a", 8, 'stroke-dasharray="20 15"')
    for x, y in [(470, 570), (500, 440), (770, 620), (860, 560), (880, 440), (560, 370), (720, 350), (390, 500), (860, 660), (640, 760)]:
        for dx, s in ((0, 1), (26, .8)):
            body += path(f"M{x+dx-20*s} {y} L{x+dx} {y-46*s} L{x+dx+20*s} {y}Z", rnd.choice([PINE, "#55735c", "#6d8763"])) + rect(x + dx - 3, y, 6, 12, "#6c5238")
    # station, shop, pavilion, top
    body += rect(322, 838, 62, 46, "#35608f", 6) + text(353, 873, "捷", 34, "#fff", 'text-anchor="middle"')
    body += text(40, 828, "景美站", 44) + text(40, 876, "二號出口，九點", 34)
    body += rect(526, 1032, 78, 60, "#c98c5c") + poly([(512, 1038), (565, 996), (620, 1038)], CLAY) + path("M548 1064 Q565 1090 582 1064Z", "#f7f1e2") + line([(556, 1054), (560, 1042), (556, 1032)], "#f7f1e2", 4) + line([(572, 1054), (576, 1042), (572, 1032)], "#f7f1e2", 4)
    body += text(630, 1074, "美華麵店", 44)
    body += poly([(526, 562), (574, 524), (622, 562)], "#a4503a") + rect(538, 562, 8, 40, "#6c5238") + rect(602, 562, 8, 40, "#6c5238") + rect(530, 600, 88, 8, "#6c5238")
    body += text(96, 452, "涼亭", 42) + text(84, 498, "（會下雨）", 36) + line([(252, 470), (400, 520), (520, 560)], INK, 3)
    for k in range(5):
        body += line([(530 + k * 22, 484 + (k % 2) * 12), (522 + k * 22, 506 + (k % 2) * 12)], "#5f8fa0", 4)
    body += path("M640 450 l11 25 27 2 -21 18 7 27 -24 -15 -24 15 7 -27 -21 -18 27 -2Z", "#c0543a") + text(712, 430, "仙跡岩", 54) + text(750, 476, "144 公尺", 36)
    leaf = lambda x, y, s, a: f'<g transform="translate({x} {y}) rotate({a}) scale({s})">' + path("M0 40 C-60 20 -46 -40 0 -56 C46 -40 60 20 0 40Z", "#5d8a55") + path("M0 76 L0 -44 M0 10 L-26 -10 M0 10 L26 -10", stroke="#dbe6c4", width=4) + "</g>"
    body += leaf(822, 770, .8, 18) + leaf(778, 786, .6, -22) + text(722, 868, "姑婆芋，別吃", 34)
    body += text(70, 130, "仙跡岩", 92) + text(74, 196, "走最慢的人，決定我們的速度", 36, "#5c5240")
    body += line([(72, 222), (300, 216), (530, 224)], CLAY, 5)
    body += path("M888 196 L912 92 L936 196 L912 176Z", INK) + text(912, 74, "北", 38, INK, 'text-anchor="middle"')
    body += text(930, 1172, "清和 2019.3", 34, "#8b7754", 'text-anchor="end"')
    return "", body


def forest(rnd, w, top, bottom, tones, n=26, size=90):
    body = ""
    for i, tone in enumerate(tones):
        y = top + (bottom - top) * i / max(1, len(tones) - 1)
        for k in range(n):
            x = (k + rnd.uniform(-.4, .4)) * w / (n - 1)
            s = size * rnd.uniform(.7, 1.2)
            body += oval(x, y, s * .75, s, tone)
        body += rect(-20, y, w + 40, 400, tone)
    return body


@picture("emperor-bus.png", 800, 800, 6)
def bus(rnd, w, h):
    body = rect(-40, -40, 880, 880, "#dbe4dc")
    for i, tone in enumerate(["#b5c9bb", "#8fad98", "#6a8e77"]):
        body += ridge(rnd, w, 330 + i * 66, 90, 830)[1].replace("{fill}", tone)
    body += forest(rnd, w, 470, 520, ["#557a60", "#466a53"], 16, 60) + rect(-20, 596, 840, 30, "#b9b29f") + rect(-20, 620, 840, 220, "#8b8a84") + "".join(rect(40 + i * 210, 724, 110, 12, "#efe6cc") for i in range(4))
    body += oval(420, 676, 318, 20, "#6f6e69")
    body += path("M112 640 L112 330 C112 296 132 280 164 280 L680 280 C706 280 720 298 724 326 L736 640Z", "#f3f0e4")
    body += path("M112 522 C300 500 520 560 734 508 L736 640 L112 640Z", "#5f9a72") + path("M112 508 C300 486 520 546 733 494 L734 508 C520 560 300 500 112 522Z", GOLD)
    for i in range(4):
        body += rect(140 + i * 112, 326, 98, 124, "#5d7a84", 8)
    for i, (c, y) in enumerate([(CLAY, 396), (GOLD, 404), (INDIGO, 392), (ROSE, 400)]):
        x = 190 + i * 112
        body += path(f"M{x-28} 450 Q{x-28} {y+14} {x} {y+14} Q{x+28} {y+14} {x+28} 450Z", c) + dot(x, y, 21, "#e6c3a0") + path(f"M{x-21} {y} A21 21 0 0 1 {x+21} {y} Q{x} {y-14} {x-21} {y}Z", "#3a2f2a")
    body += rect(596, 316, 92, 306, "#4a6670", 6) + rect(640, 316, 4, 306, "#f3f0e4") + rect(150, 292, 200, 26, "#2c3435", 4) + text(250, 314, "666　皇帝殿", 24, "#f7c85f", 'text-anchor="middle"')
    for x in (232, 560):
        body += dot(x, 646, 48, "#2f3334") + dot(x, 646, 24, "#b9bab3")
    body += rect(716, 560, 26, 26, "#f9e6ac", 6)
    body += rect(58, 330, 12, 330, "#6a6f70") + dot(64, 300, 46, "#f6f1e3") + dot(64, 300, 46, "none", 'stroke="#b24a37" stroke-width="8"') + text(64, 313, "666", 34, "#b24a37", 'text-anchor="middle"')
    return "", body


@picture("emperor-steps.webp", 800, 800, 9)
def steps(rnd, w, h):
    body = rect(-40, -40, 880, 880, "#e4ebd2") + dot(420, 130, 150, "#f6f3d6")
    for side in (-1, 1):
        for i, tone in enumerate(["#c2d3a6", "#a1bb86", "#7d9f6c", "#5d8458", "#436a49"]):
            for k in range(7):
                x = 400 + side * (120 + i * 62 + rnd.uniform(0, 60) + k * 22)
                y = 40 + k * 128 + rnd.uniform(-30, 30)
                body += oval(x + side * 50, y, 110, 92, tone)
    n = 15
    for i in range(n):
        t = i / (n - 1)
        y = 190 + 590 * t ** 1.35
        half, hh = 34 + 236 * t, 12 + 40 * t
        x = 400 + 52 * math.sin(t * 3.1 + .4) * (1 - t * .5)
        body += poly([(x - half, y), (x + half, y + rnd.uniform(-4, 4)), (x + half + 4, y + hh), (x - half - 4, y + hh)], "#8f8d7c")
        body += poly([(x - half, y - hh * .42), (x + half, y - hh * .42), (x + half, y + hh * .18), (x - half, y + hh * .18)], rnd.choice(["#cfcab4", "#c5c0a9", "#d6d1bd"]))
        if i % 3 == 1:
            body += oval(x - half * .6, y - hh * .1, half * .22, hh * .2, "#8aa367")
    for x, y, s, c in [(430, 296, .62, CLAY), (404, 356, .8, GOLD)]:
        body += f'<g transform="translate({x} {y}) scale({s})">' + rect(-13, -12, 11, 46, "#3a4648", 5) + rect(3, -12, 11, 40, "#3a4648", 5) + rect(-22, -72, 44, 66, c, 18) + rect(-15, -66, 30, 44, "#49605a", 8) + dot(0, -88, 17, "#3a2f2a") + "</g>"
    for side in (-1, 1):
        for k in range(9):
            x0, y0 = 400 + side * (330 + rnd.uniform(-40, 60)), 560 + k * 34
            body += line([(x0 + side * 60, y0 + 90), (x0, y0), (x0 - side * 90, y0 + 10)], "#2f5740", 5)
            for j in range(7):
                px, py = x0 - side * j * 13 + side * 8, y0 - 2 + j * 1.4
                body += line([(px, py), (px - side * 6, py - 22 + j * 2)], "#2f5740", 6) + line([(px, py), (px - side * 2, py + 24 - j * 2)], "#2f5740", 6)
    return "", body


@picture("emperor-ridge.jpg", 1000, 800, 7)
def rope_ridge(rnd, w, h):
    body = rect(-40, -40, w + 80, h + 80, "url(#sky)")
    for i, tone in enumerate(["#bdd0cf", "#9dbab5", "#7a9f96"]):
        body += ridge(rnd, w, 470 + i * 84, 110, h + 30)[1].replace("{fill}", tone)
    for x, y, s in [(140, 120, 1.1), (640, 84, .8), (860, 190, 1)]:
        body += f'<g transform="translate({x} {y}) scale({s})" opacity=".8">' + oval(0, 0, 90, 22, "#fbf7ea") + oval(-34, -16, 44, 24, "#fbf7ea") + oval(28, -20, 54, 28, "#fbf7ea") + "</g>"
    crest = [(-40, 790), (70, 690), (160, 640), (240, 548), (330, 520), (420, 440), (500, 416), (560, 340), (640, 322), (700, 268), (760, 300), (800, 372), (860, 410), (910, 500), (980, 540), (1050, 640)]
    on = lambda x: float(np.interp(x, *zip(*crest)))
    body += path(smooth(crest) + " L1050 850 L-40 850Z", "#8d7f6b")
    body += path(smooth([(x + 16, y + 32) for x, y in crest]) + " L1050 850 L-40 850Z", "#75684f", more='opacity=".8"')
    for i in range(34):
        x = rnd.uniform(0, w); y = np.interp(x, *zip(*crest)) + rnd.uniform(50, 420)
        l = rnd.uniform(50, 150)
        body += line([(x, y), (x + l * .5, y - l * .22 + rnd.uniform(-6, 6)), (x + l, y - l * .5)], rnd.choice(["#5f5340", "#9b8c75", "#a89a83"]), rnd.uniform(3, 8), 'opacity=".7"')
    for i in range(150):
        x = rnd.uniform(0, w); y = 620 + i * 1.4 + 60 * math.sin(x / 150)
        y = max(y, on(x) + 60)
        body += oval(x, y, rnd.uniform(22, 46), rnd.uniform(18, 34), rnd.choice([PINE, "#527359", "#64835e", "#2f4d42"]))
    posts = [(x, on(x)) for x in (110, 262, 400, 532, 640, 704)]
    for x, y in posts:
        body += line([(x, y + 6), (x + 3, y - 62)], "#4a3b2d", 9)
    rope = []
    for (x0, y0), (x1, y1) in zip(posts, posts[1:]):
        rope += [(x0 + 3, y0 - 54), ((x0 + x1) / 2, (y0 + y1) / 2 - 30)]
    body += line(rope + [(posts[-1][0] + 3, posts[-1][1] - 54)], "#ece0bf", 6)
    for x, y, s, c, arm in [(468, on(468) + 8, .95, GOLD, 1), (612, on(612) + 6, .74, CLAY, 0), (672, on(672) + 6, .7, INDIGO, 0)]:
        g = line([(-8, 0), (-10, -32)], INK, 13) + line([(10, 0), (6, -32)], INK, 13) + rect(-20, -82, 40, 54, c, 15) + rect(-29, -80, 18, 42, "#49605a", 7) + dot(2, -98, 16, "#e6c3a0") + path("M-15 -100 Q0 -126 19 -100Z", "#6b4b37")
        g += line([(8, -66), (30, -60), (44, -58)], c, 11) + (line([(4, -60), (24, -46), (46, -50)], c, 11) if arm else "")
        body += f'<g transform="translate({x} {y}) scale({s})">{g}</g>'
    return fade("sky", "#a9c9d3", "#f4ead2"), body


@picture("emperor-riceball.png", 800, 800, 7)
def riceball(rnd, w, h):
    body = rect(-40, -40, 880, 880, "#a8a493")
    for _ in range(60):
        x, y = rnd.uniform(0, w), rnd.uniform(0, h)
        body += oval(x, y, rnd.uniform(20, 90), rnd.uniform(10, 34), rnd.choice(["#b4b0a0", "#9c9887", "#969a80"]), 'opacity=".6"')
    for a, c in ((-12, "#587c4d"), (9, "#6c9159")):
        body += f'<g transform="translate(400 480) rotate({a})">' + path("M-400 0 C-250 -150 230 -160 410 -10 C240 130 -240 140 -400 0Z", c) + path("M-390 0 C-160 -16 200 -16 400 -8", stroke="#a5bb83", width=5)
        for k in range(-4, 5):
            body += path(f"M-380 0 C-160 {k*24} 200 {k*24} 396 -8", stroke="#4b6c43", width=2)
        body += "</g>"
    for x, y, s, a in [(230, 450, 1, -8), (420, 400, 1.06, 4), (598, 476, .98, 12)]:
        g = oval(4, 94, 116, 22, "#3f5a3a", 'opacity=".5"') + path("M0 -108 C34 -108 118 52 112 78 C104 106 -104 106 -112 78 C-118 52 -34 -108 0 -108Z", "#fbf7ea")
        for _ in range(60):
            px, py = rnd.uniform(-86, 86), rnd.uniform(-70, 80)
            if abs(px) < (py + 120) * .45:
                g += f'<ellipse cx="{px:.0f}" cy="{py:.0f}" rx="8" ry="4" fill="#e9e1cc" transform="rotate({rnd.randint(0,180)} {px:.0f} {py:.0f})"/>'
        g += path("M-46 100 L-42 16 C-20 8 20 8 42 16 L46 100 C20 104 -20 104 -46 100Z", "#2c3a33") + path("M-30 30 L-32 88 M10 24 L12 94", stroke="#41524a", width=3)
        body += f'<g transform="translate({x} {y}) rotate({a}) scale({s})">{g}</g>'
    body += rect(604, 622, 150, 66, PAPER, 3, 'transform="rotate(-7 680 650)"') + text(680, 668, "自己猜", 42, INK, 'text-anchor="middle" transform="rotate(-7 680 650)"')
    body += dot(612, 196, 88, "#77745f", 'opacity=".5"') + dot(604, 184, 88, "#f3efe2") + dot(604, 184, 88, "none", 'stroke="#3e5c86" stroke-width="7"') + dot(604, 184, 70, "#b98a3e") + oval(590, 170, 36, 26, "#cfa555") + path("M682 140 C740 110 752 190 688 196", stroke="#f3efe2", width=17)
    for x, y, t, c in [(150, 150, 20, "#8a9a5b"), (260, 90, 70, "#b6803c"), (330, 230, -30, "#7c8c50"), (90, 300, 120, "#b0934a"), (470, 90, 200, "#8a9a5b")]:
        body += f'<g transform="translate({x} {y}) rotate({t})">' + path("M-46 0 C-20 -26 22 -24 48 0 C20 24 -22 24 -46 0Z", c) + path("M-58 0 L40 0", stroke=PAPER, width=3, more='opacity=".6"') + "</g>"
    for x, y in [(120, 640), (170, 668)]:
        body += path(smooth([(x - 40, y), (x - 8, y - 22), (x + 38, y - 4), (x + 6, y + 20)], True), "#c9a13c")
    return "", body


@picture("emperor-shoes.jpg", 1000, 750, 7)
def shoes(rnd, w, h):
    body = rect(-40, -40, w + 80, h + 80, "#a9c6c2")
    for i in range(26):
        y = 20 + i * 11
        x = rnd.uniform(-60, w)
        body += line([(x, y), (x + 90, y - 6), (x + rnd.uniform(160, 300), y)], rnd.choice(["#cfe0da", "#8fb3b0", "#e0ebe4"]), rnd.uniform(3, 7), 'opacity=".8"')
    for x, y, r in [(80, 210, 110), (880, 190, 140), (640, 110, 70), (330, 120, 60)]:
        body += oval(x, y + 10, r * 1.2, r * .6, "#6d8f8c", 'opacity=".5"') + oval(x, y, r * 1.15, r * .58, "#8e9088") + oval(x - r * .2, y - r * .16, r * .7, r * .26, "#b0b1a6")
    body += path(smooth([(-40, 360), (140, 316), (360, 332), (580, 306), (820, 330), (1050, 302)]) + " L1050 800 L-40 800Z", "#a49c8b")
    for _ in range(60):
        x, y = rnd.uniform(0, w), rnd.uniform(400, 750)
        body += oval(x, y, rnd.uniform(24, 74), rnd.uniform(14, 34), rnd.choice(["#b8b09e", "#948c7b", "#c3bcab", "#8a8576"]), 'opacity=".8"')
    def shoe(x, y, s, c, sole, lace):
        g = oval(66, 78, 118, 16, "#5f594c", 'opacity=".5"') + path("M-36 50 C-40 0 -34 -50 -26 -74 L40 -74 C44 -36 70 -18 120 0 C160 12 176 34 172 62 L-38 62Z", c)
        g += path("M-26 -74 L40 -74 L42 -52 L-30 -52Z", "#3a3f40") + path("M-40 52 L174 52 C180 72 172 82 160 82 L-28 82 C-42 80 -44 66 -40 52Z", sole)
        for k in range(4):
            g += line([(34 + k * 20, -40 + k * 16), (64 + k * 20, -50 + k * 18)], lace, 6)
        g += path("M120 4 C160 14 176 34 172 54 L108 54 C104 34 108 16 120 4Z", "#000", more='opacity=".14"')
        return f'<g transform="translate({x} {y}) scale({s})">{g}</g>'
    for x, y, s, c, sole, lace in [(64, 408, .78, "#8a5a3c", "#3d3731", PAPER), (240, 420, .78, "#8a5a3c", "#3d3731", PAPER), (470, 400, .72, "#4f6f7a", "#e5dfcf", GOLD), (640, 410, .72, "#4f6f7a", "#e5dfcf", GOLD),
                                   (800, 404, .52, "#b5574a", "#4b443d", PAPER), (892, 410, .52, "#b5574a", "#4b443d", PAPER), (80, 600, .8, "#6f8459", "#3a3a32", CLAY), (266, 616, .8, "#6f8459", "#3a3a32", CLAY), (506, 590, 1.02, "#c69a56", "#5a4633", "#5b3a29"), (750, 606, 1.02, "#c69a56", "#5a4633", "#5b3a29")]:
        body += shoe(x, y, s, c, sole, lace)
    return "", body


@picture("rain-window.jpg", 900, 1200, 6)
def rain_window(rnd, w, h):
    body = rect(-40, -40, w + 80, h + 80, "#b8c6bf")
    blur = rect(60, 40, 780, 900, "#bccdc4")
    for i, tone in enumerate(["#a9bfae", "#93ae98", "#7d9c82", "#68896f"]):
        for _ in range(26):
            blur += oval(rnd.uniform(40, 860), rnd.uniform(160 + i * 130, 940), rnd.uniform(50, 120), rnd.uniform(40, 90), tone)
    for _ in range(60):
        x, y = rnd.uniform(60, 840), rnd.uniform(180, 900)
        blur += f'<g transform="translate({x:.0f} {y:.0f}) rotate({rnd.randint(-60,60)})">' + path("M0 -34 C30 -20 28 20 0 34 C-28 20 -30 -20 0 -34Z", rnd.choice(["#dfe8da", "#567a5f", "#86a883", "#c7d8c4"])) + "</g>"
    blur += rect(560, 60, 240, 330, "#c8cbc2") + "".join(rect(586 + (k % 3) * 68, 100 + (k // 3) * 92, 44, 56, "#a3adac") for k in range(9)) + rect(654, 192, 44, 56, "#f1dca6")
    body += f'<g filter="url(#soft)">{blur}</g>'
    for _ in range(190):
        x, y = rnd.uniform(70, 830), rnd.uniform(50, 930); r = abs(rnd.gauss(0, 4)) + 2.5
        body += oval(x, y, r, r * 1.25, "#eef3ee", 'opacity=".75"') + oval(x + r * .2, y + r * .4, r * .6, r * .6, "#7f9a8e", 'opacity=".6"')
    for _ in range(22):
        x, y, l = rnd.uniform(80, 820), rnd.uniform(60, 620), rnd.uniform(90, 280)
        body += line([(x, y), (x + rnd.uniform(-7, 7), y + l / 2), (x + rnd.uniform(-7, 7), y + l)], "#eaf1ec", 3.4, 'opacity=".6"') + oval(x, y + l + 6, 6, 9, "#f3f7f3")
    wood, dark, light = "#7d5a41", "#5e412e", "#96704f"
    for x, y, ww, hh in [(-20, -20, 90, 1240), (830, -20, 90, 1240), (-20, -20, 940, 70), (436, 40, 30, 900), (60, 470, 780, 22), (-20, 930, 940, 70)]:
        body += rect(x, y, ww, hh, wood)
    body += rect(70, 50, 7, 880, dark) + rect(466, 50, 6, 880, dark) + rect(70, 50, 760, 7, dark) + rect(70, 492, 760, 6, dark)
    body += rect(-20, 990, 940, 240, light) + rect(-20, 984, 940, 14, "#b28c66") + rect(-20, 1120, 940, 6, wood)
    body += oval(286, 1070, 118, 24, dark, 'opacity=".5"') + path("M192 940 L204 1050 C210 1080 342 1080 348 1050 L360 940Z", "#e9e2d0") + oval(276, 940, 84, 20, "#d5ccb6") + oval(276, 941, 72, 15, "#8a6a35")
    body += path("M356 962 C416 958 416 1030 350 1030", stroke="#e9e2d0", width=17) + path("M226 1000 q20 -24 40 0 t40 0", stroke="#7d94a8", width=6)
    for k in range(3):
        x = 242 + k * 34
        body += line([(x, 920), (x + 14, 880), (x - 8, 836), (x + 12, 784)], "#f5f2e8", 7, 'opacity=".55"')
    body += f'<g transform="translate(590 1052) rotate(-5)">' + rect(-130, -30, 290, 26, "#7a8d92", 3) + rect(-124, -8, 284, 30, "#efe7d4", 3) + rect(-130, 18, 290, 12, "#66787d", 3) + rect(-20, -26, 10, 70, CLAY) + "</g>"
    body += f'<g transform="translate(610 1010) rotate(-12)">' + rect(-100, -8, 196, 13, GOLD, 3) + poly([(96, -8), (122, -2), (96, 5)], "#ead7ae") + rect(-112, -8, 16, 13, ROSE, 4) + "</g>"
    return '<filter id="soft"><feGaussianBlur stdDeviation="7"/></filter>', body


@picture("ferns.jpg", 900, 1200, 5, .02)
def ferns(rnd, w, h):
    body = rect(-40, -40, w + 80, h + 80, "#f5efdf") + rect(44, 44, 812, 1112, "none", 0, 'stroke="#b9a98a" stroke-width="3"')
    def frond(base, tip, bend, n, size, fill, vein, pointed):
        (x0, y0), (x1, y1) = base, tip
        mid = ((x0 + x1) / 2 + bend, (y0 + y1) / 2)
        at = lambda t: ((1 - t) ** 2 * x0 + 2 * t * (1 - t) * mid[0] + t * t * x1, (1 - t) ** 2 * y0 + 2 * t * (1 - t) * mid[1] + t * t * y1)
        out = ""
        for i in range(n):
            t = .2 + .8 * i / n
            (x, y), (xa, ya) = at(t), at(min(1, t + .02))
            a = math.degrees(math.atan2(ya - y, xa - x)) + 90
            l = size * (1.12 - t) ** .62 * min(1, .45 + (t - .2) * 4)
            b = l * pointed
            for side in (-1, 1):
                out += f'<g transform="translate({x:.1f} {y:.1f}) rotate({a + side*(72-18*t):.1f})">' + path(f"M0 0 C{-b:.0f} {-l*.3:.0f} {-b*.7:.0f} {-l*.85:.0f} 0 {-l:.0f} C{b*.7:.0f} {-l*.85:.0f} {b:.0f} {-l*.3:.0f} 0 0Z", fill if (i + side) % 3 else vein) + path(f"M0 0 L0 {-l*.86:.0f}", stroke="#e8e6c8", width=1.8)
                for k in range(3 if l > 60 else 0):
                    out += dot(-b * .28, -l * (.34 + .17 * k), 3, "#8a5f35") + dot(b * .28, -l * (.34 + .17 * k), 3, "#8a5f35")
                out += "</g>"
        return line([at(t / 12) for t in range(13)], "#6b5a38", 8) + out
    body += frond((210, 960), (250, 180), -70, 34, 96, "#5b8053", "#6c9060", .18)
    body += frond((470, 960), (440, 250), 60, 17, 128, "#476f54", "#547c5c", .2)
    coil = []
    for k in range(64):
        a = k / 63 * math.tau * 2.35
        r = 96 * (1 - k / 70)
        coil.append((714 - r * math.cos(a), 560 - r * math.sin(a)))
    stem = [(704, 962), (664, 860), (636, 740), (620, 640)] + coil
    body += line(stem, "#5a4630", 36) + line(stem, "#7f9a5b", 27) + line(stem, "#a1b87a", 8)
    for k in range(0, 64, 2):
        x, y = coil[k]; a = k / 63 * math.tau * 2.35
        body += line([(x - 13 * math.cos(a), y - 13 * math.sin(a)), (x - 27 * math.cos(a), y - 27 * math.sin(a))], "#b98a4e", 3.4)
    for (xa, ya), (xb, yb) in zip(stem[:4], stem[1:5]):
        l = math.hypot(xb - xa, yb - ya); nx, ny = (yb - ya) / l, (xa - xb) / l
        for k in range(8):
            x, y = xa + (xb - xa) * k / 8, ya + (yb - ya) * k / 8
            for side in (-1, 1):
                body += line([(x + side * nx * 14, y + side * ny * 14), (x + side * nx * 27, y + side * ny * 27 - 6)], "#b98a4e", 3)
    for x, n, name, latin in [(200, "1", "腎蕨", "Nephrolepis cordifolia"), (462, "2", "觀音座蓮", "Angiopteris lygodiifolia"), (716, "3", "筆筒樹", "Sphaeropteris lepifera")]:
        body += text(x, 1018, n, 30, CLAY, 'text-anchor="middle"') + text(x, 1062, name, 40, INK, 'text-anchor="middle"')
        body += f'<text x="{x}" y="1098" font-family="Noto Serif, DejaVu Serif, serif" font-style="italic" font-size="19" fill="#6d6450" text-anchor="middle">{latin}</text>'
    body += text(826, 108, "路邊的蕨", 46, INK, 'text-anchor="end"') + text(826, 148, "翻過來看", 28, "#8b7754", 'text-anchor="end"')
    return "", body


@picture("hehuan-stars.jpg", 800, 1200, 6)
def stars(rnd, w, h):
    body = rect(-40, -40, w + 80, h + 80, "url(#night)")
    band = ""
    for _ in range(90):
        t = rnd.uniform(-.1, 1.1)
        band += oval(80 + 680 * t + rnd.gauss(0, 26), 860 - 840 * t + rnd.gauss(0, 40), rnd.uniform(30, 80), rnd.uniform(24, 60), rnd.choice(["#7f8fb4", "#b2a9b8", "#8ea3bd"]), 'opacity=".10"')
    body += f'<g filter="url(#soft)">{band}</g>'
    for _ in range(420):
        t = rnd.uniform(0, 1); near = rnd.random() < .55
        x, y = (80 + 680 * t + rnd.gauss(0, 62), 860 - 840 * t + rnd.gauss(0, 62)) if near else (rnd.uniform(0, w), rnd.uniform(0, 840))
        body += dot(x, y, abs(rnd.gauss(0, 1.1)) + .8, rnd.choice(["#fdf6df", "#fff", "#cfdcf2", "#f6d9a8"]))
    for x, y in [(170, 190), (250, 150), (338, 176), (400, 232), (520, 240), (548, 330), (430, 330)]:
        body += dot(x, y, 4.4, "#fff6d8")
    for i, tone in enumerate(["#2b3d5c", "#20304a", "#172338"]):
        body += ridge(rnd, w, 880 + i * 60, 90, h + 30)[1].replace("{fill}", tone)
    body += path(smooth([(-40, 1040), (150, 1010), (380, 1036), (600, 1016), (850, 1050)]) + " L850 1240 L-40 1240Z", "#0e1724")
    body += f'<g filter="url(#soft)">' + oval(420, 1048, 240, 54, "#d9974a", 'opacity=".55"') + "</g>"
    body += path("M262 1060 C300 960 370 900 424 896 C490 902 560 972 590 1060Z", "#e0913f") + path("M262 1060 C300 960 370 900 424 896 C400 950 392 1010 392 1060Z", "#f0b45c") + path("M392 1060 C396 1000 408 940 424 896 C452 940 470 1000 476 1060Z", "#f9d78c")
    body += line([(424, 896), (424, 1060)], "#a8632c", 3) + path("M424 1060 C420 1020 404 1010 402 984 A22 22 0 1 1 446 984 C444 1010 430 1020 428 1060Z", "#b86f32", more='opacity=".55"')
    body += line([(262, 1060), (200, 1086)], "#6b5a44", 3) + line([(590, 1060), (656, 1088)], "#6b5a44", 3)
    for _ in range(120):
        x = rnd.uniform(-10, w + 10); y = 1064 + rnd.uniform(0, 120)
        body += line([(x, y + 34), (x + rnd.uniform(-5, 5), y + 10), (x + rnd.uniform(-16, 16), y - rnd.uniform(8, 26))], rnd.choice(["#0a111b", "#16222f", "#1f2e38"]), 4)
    return fade("night", "#131e38", "#6b6f8f", "#2c3f66") + '<filter id="soft"><feGaussianBlur stdDeviation="20"/></filter>', body


@picture("hehuan-cane.webp", 1000, 750, 7)
def cane(rnd, w, h):
    body = rect(-40, -40, 1080, 830, "#bcd6de")
    for x, y, s in [(180, 120, 1.2), (760, 90, 1), (520, 190, .7)]:
        body += f'<g transform="translate({x} {y}) scale({s})">' + oval(0, 0, 120, 24, "#f5f3e8") + oval(-40, -20, 56, 30, "#f5f3e8") + oval(40, -26, 66, 36, "#f5f3e8") + "</g>"
    for i, tone in enumerate(["#93b0b9", "#789b9f"]):
        body += ridge(rnd, w, 360 + i * 40, 90, 790)[1].replace("{fill}", tone)
    hills = [([(-40, 400), (200, 340), (420, 300), (640, 270), (860, 318), (1050, 380)], "#a9b86c"), ([(-40, 520), (180, 470), (400, 430), (560, 452), (800, 470), (1050, 430)], "#bfc678"), ([(-40, 600), (260, 560), (500, 600), (760, 560), (1050, 590)], "#8fa75f")]
    for pts, tone in hills:
        body += path(smooth(pts) + " L1050 800 L-40 800Z", tone)
    for _ in range(64):
        x, y = rnd.uniform(0, w), rnd.uniform(330, 560)
        if y > np.interp(x, *zip(*hills[0][0])) + 16:
            body += line([(x, y), (x + 22, y - 7), (x + 52, y)], rnd.choice(["#93a85a", "#cdd38b"]), 5)
    for x, y, s in [(130, 420, 1), (170, 430, .7), (320, 392, .7), (880, 402, .9), (920, 410, .7), (720, 380, .6)]:
        body += path(f"M{x-26*s} {y} L{x} {y-96*s} L{x+26*s} {y}Z", "#3f6355")
    body += path(smooth([(500, 780), (560, 660), (470, 570), (600, 500), (560, 420), (640, 350), (632, 290)]), stroke="#efe3c3", width=15)
    body += poly([(596, 180), (712, 166), (716, 252), (600, 266)], "#e4e6e0") + line([(612, 266), (608, 292)], "#5c6461", 6) + line([(704, 254), (706, 288)], "#5c6461", 6) + line([(598, 222), (714, 208)], "#b8bfba", 4) + line([(656, 174), (658, 258)], "#b8bfba", 4)
    body += rect(220, 400, 20, 270, "#7b5a3f") + f'<g transform="rotate(-3 230 440)">' + path("M96 392 L388 392 L424 434 L388 476 L96 476Z", "#9a7350") + text(240, 450, "合歡北峰 3422M", 36, "#fbf3df", 'text-anchor="middle"') + "</g>"
    for _ in range(300):
        x, y = rnd.uniform(-10, w + 10), rnd.uniform(610, 770)
        body += line([(x, y), (x + rnd.uniform(-4, 10), y - 26), (x + rnd.uniform(-4, 26), y - 50)], rnd.choice(["#6f8a4b", "#a8b864", "#d0d188", "#5c7a48"]), 5)
    return "", body


@picture("mooncake.png", 900, 900, 5)
def mooncake(rnd, w, h):
    body = rect(-40, -40, 980, 980, "#34435f")
    for _ in range(80):
        body += dot(rnd.uniform(0, w), rnd.uniform(0, h), rnd.uniform(1, 3), "#5a6a88")
    body += dot(450, 450, 372, "#26324a", 'opacity=".6"') + dot(444, 436, 372, "#efe8d6") + dot(444, 436, 346, "none", 'stroke="#7f96b0" stroke-width="5"') + dot(444, 436, 300, "#e4dbc4")
    for i in range(48):
        a = i / 48 * math.tau
        body += dot(444 + 323 * math.cos(a), 436 + 323 * math.sin(a), 5 if i % 2 else 9, "#7f96b0")
    def pastry(x, y, r, word):
        g = dot(x + 7, y + 12, r, "#b8a986", 'opacity=".7"') + dot(x, y, r, "#d89b4e") + dot(x, y - r * .06, r * .93, "#e9b864") + oval(x - r * .2, y - r * .34, r * .5, r * .3, "#f4cf86", 'opacity=".8"')
        for k in range(26):
            a = rnd.uniform(0, math.tau); q = rnd.uniform(0, r * .4)
            g += oval(x + q * math.cos(a), y - r * .1 + q * math.sin(a), 4.5, 3, "#33302b")
        return g + (text(x, y + r * .66, word, r * .3, "#b24a37", 'text-anchor="middle"') if word else "")
    for x, y in [(330, 290), (556, 286), (246, 466), (640, 470)]:
        body += pastry(x, y, 98, "")
    body += pastry(340, 622, 98, "") 
    # the cut one
    x, y = 552, 630
    body += dot(x + 6, y + 12, 98, "#b8a986", 'opacity=".7"') + dot(x, y, 98, "#e0ab5c") + dot(x, y, 86, "#f0d9a6") + dot(x, y, 70, "#6b3a2b") + dot(x, y, 44, "#e58c2c") + dot(x - 8, y - 10, 22, "#f2ac4c")
    body += pastry(444, 446, 104, "")
    body += f'<g transform="rotate(8 720 760)">' + rect(596, 716, 232, 104, "#f6edcf", 2) + text(712, 764, "蔡老師的", 38, INK, 'text-anchor="middle"') + text(712, 806, "不要動", 38, "#b24a37", 'text-anchor="middle"') + "</g>"
    for k in range(2):
        body += line([(70 + k * 30, 880), (130 + k * 26, 700), (190 + k * 20, 600)], "#a97b50", 11)
    return "", body


@picture("tracks.webp", 1000, 800, 3)
def tracks(rnd, w, h):
    body = rect(-40, -40, 1080, 880, "#18252e")
    for r in range(60, 760, 48):
        pts = [(600 + r * (1 + .2 * math.sin(2 * a + .6) + .06 * math.sin(5 * a)) * math.cos(a), 350 + .72 * r * (1 + .16 * math.cos(3 * a)) * math.sin(a)) for a in (k / 20 * math.tau for k in range(20))]
        body += path(smooth(pts, True), stroke="#263945", width=2)
    spine = [(90, 690), (180, 640), (232, 560), (330, 540), (410, 590), (470, 520), (452, 430), (540, 380), (640, 410), (700, 330), (640, 250), (720, 190), (830, 210)]
    stops = [spine[i] for i in (2, 4, 6, 8, 9, 11)]
    for i in range(61):
        d = rnd.gauss(0, 11)
        n = len(spine) if i % 4 else rnd.randint(6, 12)
        pts = [(x + d + rnd.gauss(0, 13), y + d * .6 + rnd.gauss(0, 13)) for x, y in spine[:n]]
        if i % 7 == 0:
            pts += [(pts[-1][0] + 70 + rnd.gauss(0, 20), pts[-1][1] + 60 + rnd.gauss(0, 20)), (pts[-1][0] + 170, pts[-1][1] + 40 + rnd.gauss(0, 40))]
        body += path(smooth(pts), stroke=["#7fb4a6", "#d8b56a", "#9fc3cf", "#c98a76"][i % 4], width=2, more='opacity=".5"')
    for k, (x, y) in enumerate(stops):
        body += dot(x, y, 30 + 5 * (k % 3), "#f0cf85", 'opacity=".22"') + dot(x, y, 11, "#f6dfa4")
    for (x, y), word in zip(stops, ["腎蕨", "山蘇", "觀音座蓮", "鳳尾蕨", "涼亭", "過溝菜蕨"]):
        body += text(x + 36, y + 46, word, 30, "#efe4c8")
    body += text(60, 84, "六十一次", 46, "#efe4c8") + text(60, 130, "亮的地方：停超過十分鐘", 28, "#9fb3b5")
    return "", body


@picture("hat.jpg", 1200, 900, 6, out="posts/2023/tsai-laoshi")
def hat(rnd, w, h):
    body = rect(-40, -40, w + 80, h + 80, "url(#light)")
    for i, tone in enumerate(["#d6ddc4", "#c0ccad", "#a6b895"]):
        for _ in range(30):
            body += oval(rnd.uniform(-40, w + 40), rnd.uniform(170 + i * 90, 400 + i * 50), rnd.uniform(60, 150), rnd.uniform(50, 110), tone, 'opacity=".75"')
    for _ in range(14):
        body += dot(rnd.uniform(0, w), rnd.uniform(30, 330), rnd.uniform(16, 46), "#fbf6df", 'opacity=".5"')
    body += path(smooth([(-40, 560), (120, 500), (360, 476), (640, 470), (900, 488), (1100, 530), (1250, 600)]) + " L1250 950 L-40 950Z", "#a8a494")
    body += path(smooth([(-40, 640), (200, 592), (560, 580), (900, 606), (1250, 700)]) + " L1250 950 L-40 950Z", "#8f8b7b")
    for _ in range(40):
        x, y = rnd.uniform(0, w), rnd.uniform(600, 900)
        body += oval(x, y, rnd.uniform(30, 110), rnd.uniform(8, 26), rnd.choice(["#9b9787", "#83806f", "#7b8a64", "#a19d8d"]), 'opacity=".55"')
    for _ in range(26):
        body += oval(rnd.choice([rnd.uniform(0, 240), rnd.uniform(900, 1200)]), rnd.uniform(520, 650), rnd.uniform(24, 60), rnd.uniform(10, 22), rnd.choice(["#7f9160", "#94a56f"]), 'opacity=".8"')
    # hat
    body += oval(474, 566, 330, 44, "#6d6858", 'opacity=".55"')
    body += path("M150 536 C190 470 300 456 460 452 C640 450 760 470 800 532 C740 590 560 604 450 602 C320 602 190 588 150 536Z", "#d9b46e")
    body += path("M290 500 C290 380 340 300 470 292 C604 296 652 380 656 500 C600 536 350 536 290 500Z", "#e6c585") + path("M288 470 C360 508 590 508 658 468 L658 504 C600 540 350 540 288 506Z", "#6f4a36")
    for k in range(9):
        body += path(f"M{298+k*5} {452-k*17} C{380} {478-k*19} {560} {478-k*19} {650-k*5} {452-k*17}", stroke="#c9a35d", width=2.6, more='opacity=".8"')
    for k in range(26):
        x = 176 + k * 24
        body += path(f"M{x} {552+18*math.sin(k/26*math.pi):.0f} l{(x-470)*.045:.0f} 22", stroke="#bf9850", width=3, more='opacity=".8"')
    body += path("M326 440 C350 370 390 326 450 312", stroke="#f3dcab", width=9, more='opacity=".7"')
    # fern tucked into the band
    for i in range(12):
        x, y = 622 + i * 8, 486 - i * 17; l = 46 - i * 3
        body += line([(x, y), (x + l, y - l * .2)], "#587c4f", 9) + line([(x, y), (x - l * .7, y - l * .7)], "#6a8f5c", 9)
    body += line([(616, 500), (660, 400), (722, 290)], "#4c6a43", 5)
    # notebook, glasses, pencil
    body += f'<g transform="translate(890 640) rotate(-9)">' + oval(0, 70, 210, 24, "#6d6858", 'opacity=".5"') + poly([(-190, 30), (120, 10), (200, 74), (-130, 100)], "#55707a") + poly([(-186, 18), (120, -2), (196, 60), (-128, 86)], "#f2ead6")
    for k in range(5):
        body += line([(-140 + k * 12, 30 + k * 11), (0, 22 + k * 11), (116 + k * 11, 14 + k * 10)], "#a89d86", 2.4)
    body += line([(-30, 8), (-6, 30), (34, 78)], "#c9bfa8", 3) + "</g>"
    for dx in (0, 92):
        body += oval(820 + dx, 616 - dx * .1, 40, 27, "#e8efe8", f'opacity=".5"') + oval(820 + dx, 616 - dx * .1, 40, 27, "none", 'stroke="#4a3b2d" stroke-width="6"')
    body += path("M859 610 Q866 600 873 606", stroke="#4a3b2d", width=6) + line([(781, 612), (760, 640), (740, 690)], "#4a3b2d", 5) + line([(950, 600), (972, 624), (980, 670)], "#4a3b2d", 5)
    return fade("light", "#f4edd2", "#cfd8bd"), body


@picture("maokong-tea.jpg", 1200, 800, 7)
def tea(rnd, w, h):
    body = rect(-40, -40, w + 80, h + 80, "url(#dusk)") + dot(250, 250, 56, "#fbe3ba")
    for i, tone in enumerate(["#b39aa1", "#8f8698", "#6d7689"]):
        body += ridge(rnd, w, 350 + i * 44, 60, h)[1].replace("{fill}", tone)
    city = ""
    for i in range(64):
        x = 60 + i * 18 + rnd.uniform(-5, 5); hh = rnd.uniform(18, 62)
        city += rect(round(x), 470 - hh, rnd.randint(12, 22), hh + 40, rnd.choice(["#585f75", "#4d556b", "#646a7f"]))
        for _ in range(3):
            city += rect(round(x + rnd.uniform(2, 10)), round(470 - rnd.uniform(0, hh)), 3, 4, "#f7d99a")
    city += poly([(862, 480), (870, 330), (880, 292), (884, 250), (888, 292), (898, 330), (906, 480)], "#474f66")
    for k in range(7):
        city += poly([(866, 452 - k * 20), (902, 452 - k * 20), (898, 440 - k * 20), (870, 440 - k * 20)], "#5d6580")
    body += city + forest(rnd, w, 520, 560, ["#4a6154", "#3a5147"], 22, 54)
    for i in range(5):
        y = 560 + i * 26
        body += line([(-20, y + 30), (300, y), (620, y + 16), (1220, y - 20)], ["#577458", "#4a664d"][i % 2], 20)
    body += rect(-20, 640, w + 40, 200, "#8b6245") + rect(-20, 634, w + 40, 14, "#a87a57")
    for k in range(3):
        body += rect(-20, 690 + k * 46, w + 40, 3, "#6f4c35")
    body += oval(470, 716, 220, 22, "#5c3e2c", 'opacity=".6"')
    body += path("M330 600 C330 520 390 484 460 484 C536 484 594 524 594 600 C594 680 552 712 462 712 C374 712 330 680 330 600Z", "#7d3f2f") + path("M356 590 C360 536 400 508 446 506", stroke="#a9614b", width=13)
    body += path("M590 560 C640 556 652 520 680 506 L694 522 C676 552 664 612 590 632Z", "#7d3f2f") + path("M336 552 C262 540 262 668 342 660", stroke="#7d3f2f", width=22) + oval(462, 488, 74, 17, "#92503d") + dot(462, 464, 16, "#92503d")
    for x in (770, 930):
        body += oval(x + 4, 728, 70, 12, "#5c3e2c", 'opacity=".6"') + path(f"M{x-58} 650 C{x-54} 706 {x-34} 726 {x} 726 C{x+34} 726 {x+54} 706 {x+58} 650Z", "#efe8d8") + oval(x, 650, 58, 14, "#ddd3bd") + oval(x, 652, 48, 10, "#c08c3a")
        body += line([(x, 636), (x + 12, 600), (x - 8, 566), (x + 8, 530)], "#f6eee0", 6, 'opacity=".5"')
    body += oval(1080, 700, 74, 18, "#e2d8c2") + "".join(oval(1050 + k * 20, 690 - (k % 2) * 10, 15, 11, "#7a5132") for k in range(4))
    return fade("dusk", "#7f86a3", "#f3c79d", "#d8ab9f"), body


@picture("taihaku.png", 1000, 750, 6)
def taihaku(rnd, w, h):
    body = rect(-40, -40, 1080, 830, "#e6e6d4") + dot(770, 150, 58, "#f1d3a5")
    for i, tone in enumerate(["#c9d3cb", "#b1c1b9"]):
        body += ridge(rnd, w, 380 + i * 22, 44, 790)[1].replace("{fill}", tone)
    body += path(smooth([(250, 420), (340, 372), (430, 262), (478, 204), (500, 194), (524, 206), (580, 278), (668, 372), (760, 420)]) + "Z", "#5f7f78") + path(smooth([(500, 194), (524, 206), (580, 278), (668, 372), (760, 420)]) + " L560 420 C540 330 520 260 500 194Z", "#4e6d68")
    body += rect(-40, 408, 1080, 60, "#6f8b72") + forest(rnd, w, 424, 440, ["#6f8b72", "#5a775f"], 34, 24)
    body += rect(-20, 452, 1040, 320, "#c4d2c4")
    body += poly([(330, 455), (670, 455), (500, 640)], "#8fa9a2", 'opacity=".55"')
    for y in (476, 520, 584, 670):
        body += line([(-20, y + 6), (500, y - 3), (1020, y + 8)], "#7d8a5d", 10 + (y - 470) / 22)
    for x0, x1 in ((420, 250), (640, 860)):
        body += line([(x0, 454), ((x0 + x1) / 2, 560), (x1, 780)], "#7d8a5d", 14)
    for row in range(11):
        y = 486 + row * row * 2.1 + row * 6
        for k in range(int(60 - row * 2.6)):
            x = (k + .5 * (row % 2)) * (16 + row * 2.4) - 10
            s = 5 + row * 1.7
            if x < w + 10:
                body += path(f"M{x:.0f} {y:.0f} l{-s*.5:.1f} {-s*1.5:.1f} M{x:.0f} {y:.0f} l{s*.1:.1f} {-s*1.9:.1f} M{x:.0f} {y:.0f} l{s*.6:.1f} {-s*1.4:.1f}", stroke="#6d9156", width=1.6 + row * .22)
    body += rect(150, 402, 74, 40, "#efe7d4") + poly([(136, 406), (187, 368), (238, 406)], "#5d5f6b") + rect(176, 416, 22, 26, "#8b6245")
    for x, y in [(800, 300), (840, 284), (876, 306)]:
        body += path(f"M{x-18} {y} Q{x-8} {y-12} {x} {y} Q{x+8} {y-12} {x+18} {y}", stroke="#5d6b69", width=4)
    return "", body


@picture("books.jpg", 1200, 720, 5)
def books(rnd, w, h):
    body = rect(-40, -40, w + 80, h + 80, "#e2d2b4") + rect(-20, -20, w + 40, 62, "#8a6042") + rect(-20, 42, w + 40, 12, "#5f4230", more='opacity=".55"')
    for _ in range(18):
        x, y = rnd.uniform(0, w), rnd.uniform(70, 560)
        body += line([(x, y), (x + 60, y + 2), (x + 130, y)], "#d8c6a4", 4)
    shelf = 600
    spines = [(60, 70, 400, "#53707a", "湖濱散記"), (134, 56, 356, "#b9654a", "食譜"), (194, 78, 430, "#6f8459", "台灣野外筆記"), (276, 48, 330, "#d9ad5a", "唐詩"), (328, 64, 392, "#7a5a6b", "奧之細道"), (396, 52, 372, "#efe4cb", "蕨類圖鑑"), (452, 76, 420, "#3d5a5c", "The Living Mountain"), (532, 58, 348, "#c98f7f", "山居雜記")]
    for x, ww, hh, c, name in spines:
        dark = "#4a3f35" if c in ("#efe4cb", "#d9ad5a") else "#f8efdc"
        body += rect(x, shelf - hh, ww, hh, c, 3) + rect(x, shelf - hh + 26, ww, 5, dark, more='opacity=".5"') + rect(x, shelf - 46, ww, 5, dark, more='opacity=".5"') + rect(x + ww - 7, shelf - hh, 7, hh, "#000", more='opacity=".13"')
        if name.isascii():
            body += f'<text transform="translate({x+ww/2-11} {shelf-hh+56}) rotate(90)" font-family="Noto Serif, DejaVu Serif, serif" font-size="30" fill="{dark}">{name}</text>'
        else:
            size = min(44, (hh - 130) / len(name) / 1.08, ww * .66)
            body += upright(x + ww / 2 - 2, shelf - hh + 52 + size * .82, name, size, dark)
    body += f'<g transform="rotate(11 640 {shelf})">' + rect(626, shelf - 366, 54, 366, "#a44a3a", 3) + upright(652, shelf - 290, "渡口", 38, "#f8efdc") + "</g>"
    body += f'<g transform="translate(860 {shelf})">' + rect(-96, -40, 300, 40, "#67808a", 3) + rect(-90, -34, 290, 26, "#efe6d0") + rect(-70, -78, 262, 38, "#c9a15a", 3) + rect(-64, -72, 252, 24, "#f3ead6") + rect(-84, -112, 280, 34, "#7f8d67", 3) + rect(-78, -106, 270, 22, "#efe6d0") + "</g>"
    # the little book, face on
    body += f'<g transform="translate(842 {shelf-116}) rotate(-4)">' + rect(-62, -206, 156, 206, "#f4ead0", 3) + rect(-62, -206, 156, 206, "none", 3, 'stroke="#b9a27a" stroke-width="4"') + path("M16 -90 C-26 -104 -18 -148 16 -160 C50 -148 58 -104 16 -90Z", "#5d8a55") + path("M16 -66 L16 -152", stroke="#dbe6c4", width=3) + text(16, -26, "姑婆的名字", 25, INK, 'text-anchor="middle"') + "</g>"
    body += path(f"M1090 {shelf} L1078 {shelf-96} L1178 {shelf-96} L1166 {shelf}Z", "#b24a37") + oval(1128, shelf - 96, 50, 11, "#8f3527") + rect(1074, shelf - 122, 108, 28, "#e9dfc8", 6) + text(1128, shelf - 36, "辣", 48, "#fbf1da", 'text-anchor="middle"')
    chain = [(1090, shelf - 60), (1040, shelf - 18), (980, shelf - 60), (930, shelf - 150)]
    body += line(chain, "#7d7f7d", 7, 'stroke-dasharray="3 12"') 
    body += rect(-20, shelf, w + 40, 40, "#9a6d4b") + rect(-20, shelf + 36, w + 40, 12, "#6b4a35") + rect(-20, shelf + 48, w + 40, 100, "#cdb994")
    body += rect(120, shelf + 58, 360, 44, "#f6efdc", 2) + text(300, shelf + 92, "借書請寫名字，湯漬請道歉", 28, INK, 'text-anchor="middle"')
    return "", body


@picture("pavilion.webp", 1000, 1000, 7)
def pavilion(rnd, w, h):
    return umbrellas(rnd, w, h, dog=False)


@picture("umbrellas.webp", 1000, 1000, 7)
def umbrellas(rnd, w, h, dog=True):
    body = rect(-40, -40, 1080, 1080, "#6f786f")
    for _ in range(90):
        x, y = rnd.uniform(0, w), rnd.uniform(0, h)
        body += oval(x, y, rnd.uniform(24, 70), rnd.uniform(18, 46), rnd.choice(["#788178", "#66706a", "#7d8a76"]), 'opacity=".7"')
    tones = [CLAY, GOLD, "#4f7a86", ROSE, "#7e966a", INDIGO, "#e8dcc0", "#9b7a95", "#5d8a7c", "#c98f5f", "#b04a44"]
    spots = [(180, 170, 128), (470, 120, 118), (770, 190, 136), (330, 380, 122), (620, 400, 140), (890, 480, 116), (130, 520, 120), (430, 640, 132), (730, 700, 124), (190, 820, 134), (520, 890, 118)]
    if not dog:
        spots = [(w - x, y, r) for x, y, r in spots] + [(110, 880, 108)]
        tones = tones[4:] + tones[:4] + ["#d0b27c"]
    for i, (x, y, r) in enumerate(spots):
        c, a0, n = tones[i], rnd.uniform(0, 1), 8
        corner = [(x + r * math.cos(a0 + k / n * math.tau), y + r * math.sin(a0 + k / n * math.tau)) for k in range(n)]
        def edge(k, f=.93):
            (xa, ya), (xb, yb) = corner[k], corner[(k + 1) % n]
            mx, my = x + ((xa + xb) / 2 - x) * f, y + ((ya + yb) / 2 - y) * f
            return f"Q{mx:.0f} {my:.0f} {xb:.0f} {yb:.0f}"
        whole = f"M{corner[0][0]:.0f} {corner[0][1]:.0f} " + " ".join(edge(k) for k in range(n)) + "Z"
        body += path(whole, "#4b544e", more='transform="translate(12 18)" opacity=".6"') + path(whole, c)
        for k in range(n):
            tint, op = ("#fff", .05 + .13 * max(0, math.cos(a0 + (k + .5) / n * math.tau + 2.2))) if math.cos(a0 + (k + .5) / n * math.tau + 2.2) > 0 else ("#000", .16 * -math.cos(a0 + (k + .5) / n * math.tau + 2.2))
            body += path(f"M{x} {y} L{corner[k][0]:.0f} {corner[k][1]:.0f} {edge(k)}Z", tint, more=f'opacity="{op:.2f}"')
        for k in range(n):
            body += path(f"M{x} {y} L{corner[k][0]:.0f} {corner[k][1]:.0f}", stroke=PAPER if i % 3 else INK, width=2, more='opacity=".35"')
        body += dot(x, y, 8, INK)
    # the dog in its cart
    cart = f'<g transform="translate(900 860) rotate(-18)">' + rect(-66, -92, 132, 184, "#3f4a50", 22) + rect(-52, -78, 104, 156, "#c9d3cd", 16) + oval(0, 22, 40, 52, "#f3e6cb") + oval(0, -38, 30, 32, "#f3e6cb") + oval(-26, -44, 11, 22, "#cda878") + oval(26, -44, 11, 22, "#cda878") + oval(0, -58, 7, 5, INK) + dot(-11, -44, 3.5, INK) + dot(11, -44, 3.5, INK) + "</g>"
    body += cart if dog else ""
    for _ in range(60):
        x, y = rnd.uniform(0, w), rnd.uniform(0, h)
        body += line([(x, y), (x - 7, y + 30)], "#e8eee9", 2.4, 'opacity=".4"')
    return "", body


@picture("apricot-rain.jpg", 1000, 750, 7)
def apricot(rnd, w, h):
    body = rect(-40, -40, w + 80, h + 80, "url(#grey)")
    for i, tone in enumerate(["#bcc7c4", "#a5b5b0", "#8ea29a"]):
        body += ridge(rnd, w, 330 + i * 50, 60, h + 30)[1].replace("{fill}", tone)
    body += path(smooth([(-40, 560), (250, 520), (560, 540), (820, 516), (1050, 546)]) + " L1050 800 L-40 800Z", "#8fa077")
    for x, y, s in [(170, 560, 1.05), (800, 566, 1.2), (520, 520, .55), (360, 526, .6), (660, 520, .62)]:
        g = line([(0, 0), (-8, -90), (6, -170)], "#5b4a42", 22) + line([(-4, -96), (-60, -170), (-100, -210)], "#5b4a42", 12) + line([(0, -120), (56, -190), (104, -226)], "#5b4a42", 12) + line([(4, -150), (10, -230), (-10, -280)], "#5b4a42", 10)
        for _ in range(95):
            a, r = rnd.uniform(0, math.tau), 150 * rnd.random() ** .6
            px, py = r * math.cos(a), -230 + r * .72 * math.sin(a)
            if rnd.random() < .72:
                g += dot(px, py, rnd.uniform(9, 21), rnd.choice(["#f0cdc9", "#e7b7b5", "#f8e4de", "#dda5a6"]), 'opacity=".9"')
        body += f'<g transform="translate({x} {y}) scale({s})">{g}</g>'
    for _ in range(170):
        x, y = rnd.uniform(0, w), rnd.uniform(540, 750)
        body += oval(x, y, rnd.uniform(4, 8), rnd.uniform(2.5, 4.5), rnd.choice(["#f3d6d1", "#e6b8b5", "#faece6"]))
    # folding chair, and a person under an umbrella
    body += oval(470, 690, 120, 12, "#6f7f5c", 'opacity=".6"')
    body += line([(420, 690), (500, 610)], INK, 8) + line([(500, 690), (420, 610)], INK, 8) + rect(408, 596, 106, 18, "#4f7a86", 6) + line([(412, 604), (398, 530)], INK, 8) + rect(388, 524, 18, 62, "#4f7a86", 6)
    body += path("M424 600 C420 540 430 506 462 504 C496 506 504 548 500 600Z", "#7e8a6c") + line([(490, 588), (540, 594), (546, 680)], "#4b4f4a", 26) + oval(556, 686, 26, 11, "#3a332d") + dot(466, 476, 27, "#e3c09c") + path("M424 470 C440 440 492 440 512 470 Q466 458 424 470Z", "#d9b46e") + path("M440 460 C444 432 488 432 492 460Z", "#e6c585")
    body += line([(494, 560), (520, 520), (526, 400)], "#5b4a42", 7) + path("M384 410 C400 322 650 318 672 406 Q640 388 600 404 Q564 384 526 404 Q490 386 456 406 Q420 392 384 410Z", CLAY) + path("M526 404 C520 370 524 350 528 338", stroke="#9d4f35", width=4)
    for _ in range(120):
        x, y = rnd.uniform(0, w), rnd.uniform(-10, h)
        body += line([(x, y), (x - 6, y + rnd.uniform(22, 40))], "#eef1ec", 2.2, 'opacity=".55"')
    return fade("grey", "#c9d0cf", "#e6e3d8"), body


def face(bg, skin, hair, coat, extra, glasses=False):
    """A head and shoulders in 512 units."""
    body = rect(-40, -40, 592, 592, bg) + path("M70 540 C76 410 150 372 256 372 C362 372 436 410 442 540Z", coat) + rect(216, 320, 80, 86, skin, 34) + path("M216 356 Q256 392 296 356 L296 372 Q256 404 216 372Z", "#000", more='opacity=".10"')
    back, front = hair
    body += back + oval(256, 246, 108, 122, skin) + oval(148, 254, 17, 26, skin) + oval(364, 254, 17, 26, skin)
    body += oval(214, 252, 9, 12, INK) + oval(298, 252, 9, 12, INK) + oval(190, 294, 22, 13, "#d98a72", 'opacity=".4"') + oval(322, 294, 22, 13, "#d98a72", 'opacity=".4"')
    body += path("M250 266 Q244 288 258 290", stroke="#a8765a", width=6) + path("M222 316 Q256 344 290 316", stroke="#8a4a3a", width=8)
    if glasses:
        body += dot(212, 252, 39, "none", 'stroke="#4a3b2d" stroke-width="8"') + dot(300, 252, 39, "none", 'stroke="#4a3b2d" stroke-width="8"') + path("M250 246 Q256 240 262 246", stroke="#4a3b2d", width=8)
    return "", body + front + extra


def avatar(name):
    return picture(name, 512, 512, 10, .009, 0.25, 48, "media/avatars")


@avatar("yingzhu.png")
def _(rnd, w, h):
    back = path("M128 380 C104 160 160 90 256 90 C352 90 408 160 384 380Z", "#2f2a2c")
    front = path("M146 250 C140 150 190 112 256 112 C326 112 372 150 366 250 C350 200 330 184 300 176 C250 206 180 200 146 250Z", "#2f2a2c")
    return face("#b9cdbb", "#f0cfae", (back, front), "#b9654a", path("M196 392 Q256 440 316 392", stroke="#f3ecdd", width=10))


@avatar("tsai.png")
def _(rnd, w, h):
    back = path("M140 270 C140 200 372 200 372 270 L372 300 L140 300Z", "#d9d7d0")
    front = path("M60 186 C120 132 392 132 452 186 C400 212 112 212 60 186Z", "#d9b46e") + path("M150 168 C150 66 210 40 256 40 C302 40 362 66 362 168 C320 182 192 182 150 168Z", "#e6c585") + path("M150 150 C200 170 312 170 362 150 L362 172 C312 190 200 190 150 172Z", "#6f4a36")
    return face("#dfe3c8", "#e8c3a0", (back, front), "#6f8459", path("M204 226 Q214 218 230 224 M282 224 Q298 218 308 226", stroke="#c9c5ba", width=8), True)


@avatar("ahde.png")
def _(rnd, w, h):
    back = ""
    front = path("M132 236 C120 100 190 60 256 60 C322 60 392 100 380 236 C370 206 330 196 256 196 C182 196 142 206 132 236Z", "#568772") + path("M128 222 C180 188 332 188 384 222 L378 240 C330 210 182 210 134 240Z", "#3d6555") + rect(244, 62, 24, 128, "#f3ecdd", 8)
    return face("#e8cf9c", "#dba983", (back, front), "#4a5d73", path("M214 306 Q256 290 298 306 Q256 320 214 306Z", "#5a4a42") + path("M146 262 Q170 380 256 384 Q342 380 366 262", stroke="#3a3f40", width=9))


@avatar("meihua.png")
def _(rnd, w, h):
    back = dot(256, 88, 56, "#3a302d") + path("M138 290 C120 160 180 104 256 104 C332 104 392 160 374 290Z", "#3a302d")
    front = path("M148 236 C146 150 196 122 256 122 C316 122 366 150 364 236 C330 190 300 180 256 150 C220 184 180 190 148 236Z", "#3a302d") + path("M136 176 C190 120 322 120 376 176 L370 204 C318 150 194 150 142 204Z", "#c0543a") + "".join(dot(176 + k * 40, 166 - (20 if 0 < k < 4 else 0) - (6 if k == 2 else 0), 7, "#f6e3c0") for k in range(5))
    return face("#f0d3bd", "#eec6a2", (back, front), "#f3ecdd", path("M180 384 L196 540 M332 384 L316 540", stroke="#c0543a", width=16))


@avatar("nora.png")
def _(rnd, w, h):
    curls = "".join(dot(256 + 140 * math.cos(a) * rnd.uniform(.9, 1.08), 226 + 136 * math.sin(a) * rnd.uniform(.9, 1.08), rnd.uniform(38, 56), rnd.choice(["#b5603a", "#a8532f", "#c4703f"])) for a in (math.pi * (.9 + 1.2 * k / 17) for k in range(18)))
    back = curls + dot(130, 330, 50, "#a8532f") + dot(382, 330, 50, "#b5603a") + dot(142, 390, 40, "#b5603a") + dot(372, 390, 40, "#a8532f")
    front = "".join(dot(176 + k * 40, 148 - 16 * math.sin(k / 4 * math.pi), 34, ["#b5603a", "#c4703f", "#a8532f"][k % 3]) for k in range(5))
    freckles = "".join(dot(256 + s * rnd.uniform(34, 84), rnd.uniform(274, 300), 3.4, "#c08a66") for s in (-1, 1) for _ in range(7))
    return face("#bfd3dc", "#f6dcc6", (back, front), "#33466a", freckles)


@avatar("doujiang.png")
def _(rnd, w, h):
    return "", rect(-40, -40, 592, 592, "#9cc0ad") + cat(256, 352, 2.5, tail=False)


def favicon():
    static = os.path.join(ROOT, "static")
    os.makedirs(static, exist_ok=True)
    svg = ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64"><rect width="64" height="64" rx="13" fill="#f3ecdd"/>'
           '<circle cx="43" cy="23" r="9" fill="#dba94b"/><path d="M4 51 L24 20 Q26 17 28 20 L48 51Z" fill="#3f5d4f"/>'
           '<path d="M26 51 L41 33 Q43 31 45 33 L60 51Z" fill="#8a9a6b"/><path d="M8 53 H56" stroke="#bf6a4a" stroke-width="4" stroke-linecap="round"/></svg>\n')
    with open(os.path.join(static, "favicon.svg"), "w") as file:
        file.write(svg)
    png = subprocess.run(["rsvg-convert", "-w", "256"], input=svg.encode(), stdout=subprocess.PIPE, check=True).stdout
    Image.open(io.BytesIO(png)).save(os.path.join(static, "favicon.ico"), sizes=[(16, 16), (32, 32), (48, 48)])


if __name__ == "__main__":
    for name in sys.argv[1:] or PICTURES:
        favicon() if name == "favicon" else save(name)
    if not sys.argv[1:]:
        favicon()
