// Small comforts over pages that read without them. A classic script, so that it runs from file:// too.
(function () {
  "use strict";
  var root = document.documentElement;

  // The reader's choice of light or dark, before anything is painted. Storage may be closed: then it lasts a page.
  function remembered() {
    try { return localStorage.getItem("scheme"); } catch (e) { return null; }
  }
  function remember(scheme) {
    try { localStorage.setItem("scheme", scheme); } catch (e) { /* not kept */ }
  }
  var scheme = remembered();
  if (scheme === "light" || scheme === "dark") root.dataset.scheme = scheme;

  function addSchemeSwitch() {
    var bar = document.querySelector(".top");
    if (!bar) return;
    var button = document.createElement("button");
    button.type = "button";
    button.className = "scheme";
    button.title = bar.dataset.scheme;
    button.setAttribute("aria-label", bar.dataset.scheme);
    button.addEventListener("click", function () {
      var dark = root.dataset.scheme
        ? root.dataset.scheme === "dark"
        : matchMedia("(prefers-color-scheme: dark)").matches;
      root.dataset.scheme = dark ? "light" : "dark";
      remember(root.dataset.scheme);
    });
    bar.append(button);
  }

  // "3 hours ago" over the absolute date, for a week; the exact time stays in the title.
  var steps = [["day", 86400], ["hour", 3600], ["minute", 60], ["second", 1]];
  function showRelativeTimes() {
    if (!window.Intl || !Intl.RelativeTimeFormat) return;
    var format = new Intl.RelativeTimeFormat(root.lang || undefined, { numeric: "auto" });
    var now = Date.now();
    document.querySelectorAll(".meta time[datetime]").forEach(function (time) {
      var seconds = Math.round((now - Date.parse(time.dateTime)) / 1000);
      if (!(seconds >= 0 && seconds < 7 * 86400) || time.classList.contains("dt-updated")) return;
      var step = steps.find(function (s) { return seconds >= s[1]; }) || steps[3];
      time.textContent = format.format(-Math.floor(seconds / step[1]), step[0]);
    });
  }

  // Buttons for a row of stories that is wider than the page, for readers with a mouse.
  function addStoryButtons() {
    var list = document.querySelector(".stories ul");
    if (!list || !matchMedia("(hover: hover)").matches) return;
    [-1, 1].forEach(function (side) {
      var button = document.createElement("button");
      button.type = "button";
      button.className = side < 0 ? "scroll back" : "scroll on";
      button.tabIndex = -1;
      button.setAttribute("aria-hidden", "true");
      button.addEventListener("click", function () {
        var still = matchMedia("(prefers-reduced-motion: reduce)").matches;
        var across = getComputedStyle(list).direction === "rtl" ? -side : side;
        list.scrollBy({ left: across * list.clientWidth * 0.8, behavior: still ? "auto" : "smooth" });
      });
      list.parentNode.append(button);
    });
    function update() {
      var at = Math.abs(list.scrollLeft);
      list.parentNode.dataset.back = at > 4 ? "1" : "";
      list.parentNode.dataset.on = at + list.clientWidth < list.scrollWidth - 4 ? "1" : "";
    }
    list.addEventListener("scroll", update, { passive: true });
    addEventListener("resize", update);
    update();
  }

  // In a long chat the way to the newest message stays at hand.
  function keepNewestAtHand() {
    var link = document.querySelector(".k-chat .down");
    var end = document.getElementById("newest");
    if (!link || !end) return;
    var jump = link.cloneNode(true);
    jump.className = "jump";
    function update() {
      jump.hidden = scrollY < innerHeight / 2 || end.getBoundingClientRect().top < innerHeight;
    }
    update();
    document.querySelector("main").append(jump);
    addEventListener("scroll", update, { passive: true });
  }

  // Browsers that cannot show a closed disclosure's content get the rails opened where there is room.
  function openRails() {
    if (window.CSS && CSS.supports("selector(::details-content)")) return;
    if (matchMedia("(min-width: 1000px)").matches) {
      document.querySelectorAll(".fold").forEach(function (fold) { fold.open = true; });
    }
  }

  document.addEventListener("DOMContentLoaded", function () {
    addSchemeSwitch();
    showRelativeTimes();
    addStoryButtons();
    keepNewestAtHand();
    openRails();
  });
})();
