extension LiveScript {
  /// A classic script: it runs wherever the site's own does.
  ///
  /// A change of style sheets alone is swapped in. Else the page is loaded again and put back to where
  /// it was, by the element that stood in view and not by pixels, so that what was added above moves
  /// nothing; a chat at its end stays at its end.
  static let text = #"""
    // Part of the preview, not of the site.
    (function () {
      "use strict";
      var me = document.currentScript;
      var version = me.dataset.version;
      var seen = version;
      var key = "stillfeed-place";

      function plain(address) {
        var path = new URL(address, location.href).pathname.replace(/\/index\.html$/, "/");
        try { return decodeURIComponent(path); } catch (e) { return path; }
      }
      var here = plain(location.href);

      // Sticky headings stand still whatever the page does.
      function isPinned(element) {
        for (; element && element !== document.body; element = element.parentElement) {
          var position = getComputedStyle(element).position;
          if (position === "sticky" || position === "fixed") return true;
        }
        return false;
      }

      // The first element in view that can be known again: by its id, or by where it leads.
      function firstInView() {
        var all = document.querySelectorAll("main [id], main a[href]");
        for (var i = 0; i < all.length; i++) {
          var box = all[i].getBoundingClientRect();
          if (box.height && box.top >= 0 && box.top < innerHeight && !isPinned(all[i])) return all[i];
        }
        return null;
      }
      function linksTo(href) {
        return Array.prototype.filter.call(document.querySelectorAll("main a[href]"), function (link) {
          return link.getAttribute("href") === href;
        });
      }
      function known(spot) {
        if (spot.id) return document.getElementById(spot.id);
        return spot.href ? linksTo(spot.href)[spot.index] : null;
      }

      // Where the reader is.
      function place() {
        var spot = { here: here, y: scrollY };
        var end = document.getElementById("newest");
        var top = end ? end.getBoundingClientRect().top : -1;
        var anchor = top >= 0 && top <= innerHeight + 40 ? end : scrollY > 0 ? firstInView() : null;
        if (anchor) {
          spot.top = anchor.getBoundingClientRect().top;
          spot.id = anchor.id;
          spot.href = anchor.getAttribute("href");
          spot.index = linksTo(spot.href).indexOf(anchor);
        }
        var focus = document.activeElement;
        if (focus && focus.id) spot.focus = "#" + CSS.escape(focus.id);
        else if (focus && focus.getAttribute("href")) {
          spot.focus = "[href=" + JSON.stringify(focus.getAttribute("href")) + "]";
        }
        return spot;
      }

      function restore() {
        var spot = null;
        try {
          spot = JSON.parse(sessionStorage.getItem(key));
          sessionStorage.removeItem(key);
        } catch (e) { /* storage may be closed */ }
        if (!spot || spot.here !== here) return;
        var moved = false;
        function put() {
          if (moved) return;
          var anchor = known(spot);
          var y = anchor ? scrollY + anchor.getBoundingClientRect().top - spot.top : spot.y;
          scrollTo({ top: y, behavior: "instant" });
        }
        put();
        requestAnimationFrame(put);
        ["wheel", "touchstart", "keydown", "pointerdown"].forEach(function (name) {
          addEventListener(name, function () { moved = true; }, { once: true, passive: true });
        });
        addEventListener("load", function () {
          put();
          requestAnimationFrame(function () {
            put();
            history.scrollRestoration = "auto";
          });
        });
        var focus = null;
        try { focus = spot.focus && document.querySelector(spot.focus); } catch (e) { /* odd name */ }
        if (focus) focus.focus({ preventScroll: true });
      }

      function reload() {
        try {
          sessionStorage.setItem(key, JSON.stringify(place()));
          history.scrollRestoration = "manual";
        } catch (e) { /* the browser's own way then */ }
        location.reload();
      }

      // What a page is besides its style sheets and this script.
      function taken(text) {
        var page = new DOMParser().parseFromString(text, "text/html");
        var sheets = [];
        page.querySelectorAll("link[rel=stylesheet][href]").forEach(function (link) {
          sheets.push(link.getAttribute("href"));
          link.removeAttribute("href");
        });
        var script = page.querySelector("script[data-live]");
        var from = script && script.dataset.version;
        if (script) script.remove();
        return { version: from, sheets: sheets, rest: page.documentElement.outerHTML };
      }

      function swap(link, address) {
        var fresh = link.cloneNode();
        fresh.href = address;
        fresh.addEventListener("load", function () { link.remove(); });
        fresh.addEventListener("error", reload);
        link.after(fresh);
      }

      function page(mode) {
        return fetch(location.href.split("#")[0], { cache: mode }).then(function (answer) {
          return answer.text();
        }).then(taken);
      }

      // The browser's copy is what this page was made from; if it isn't, load anew.
      function compare() {
        return page("force-cache").then(function (old) {
          return page("no-cache").then(function (fresh) {
            var links = document.querySelectorAll("link[rel=stylesheet][href]");
            if (old.version !== version || old.rest !== fresh.rest) return reload();
            if (links.length !== fresh.sheets.length || links.length !== old.sheets.length) return reload();
            version = fresh.version;
            fresh.sheets.forEach(function (address, index) {
              if (address !== old.sheets[index]) swap(links[index], address);
            });
          });
        }).catch(reload);
      }

      function changed(paths) {
        if (!paths) return compare();
        paths = paths.map(plain);
        if (paths.indexOf(here) >= 0 || paths.indexOf(here + "/") >= 0) return compare();
        var used = performance.getEntriesByType("resource").map(function (entry) { return entry.name; });
        document.querySelectorAll("img[src]").forEach(function (image) { used.push(image.src); });
        var styles = [];
        document.querySelectorAll("link[rel=stylesheet][href]").forEach(function (link) {
          if (paths.indexOf(plain(link.href)) >= 0) styles.push(link);
        });
        var others = used.some(function (address) {
          return paths.indexOf(plain(address)) >= 0
            && !styles.some(function (link) { return plain(link.href) === plain(address); });
        });
        if (others) return reload();
        styles.forEach(function (link) { swap(link, link.href.split("?")[0] + "?" + Date.now()); });
      }

      // One change after the other.
      var work = Promise.resolve();
      function later(paths) { work = work.then(function () { return changed(paths); }); }

      function show(text) {
        hide();
        var box = document.createElement("div");
        box.id = "stillfeed-problem";
        box.setAttribute("role", "alert");
        Object.assign(box.style, {
          all: "initial", position: "fixed", zIndex: "2147483647", insetInline: "0", bottom: "0",
          maxHeight: "60vh", overflow: "auto", boxSizing: "border-box", padding: "16px 24px",
          background: "#2b0f10", color: "#ffe9e7", borderTop: "3px solid #ff6b61",
          font: "14px/1.5 ui-monospace, monospace", whiteSpace: "pre-wrap", overflowWrap: "anywhere"
        });
        box.textContent = "The site could not be built\n\n" + text;
        document.documentElement.append(box);
      }
      function hide() {
        var box = document.getElementById("stillfeed-problem");
        if (box) box.remove();
      }

      // A hidden page lets go of its connection: a browser has few for one server.
      var source = null;
      var timer = 0;
      function connect() {
        clearTimeout(timer);
        if (source || document.hidden) return;
        source = new EventSource(me.dataset.live + "?since=" + seen);
        source.addEventListener("change", function (event) {
          seen = event.lastEventId;
          later(event.data === "*" ? null : event.data.split("\n"));
        });
        source.addEventListener("problem", function (event) { show(event.data); });
        source.addEventListener("mended", hide);
        source.addEventListener("error", function () {
          if (source && source.readyState === EventSource.CLOSED) {
            disconnect();
            timer = setTimeout(connect, 2000);
          }
        });
      }
      function disconnect() {
        if (source) source.close();
        source = null;
      }
      document.addEventListener("visibilitychange", function () {
        if (document.hidden) disconnect(); else connect();
      });
      addEventListener("pagehide", disconnect);
      addEventListener("pageshow", connect);
      restore();
      connect();
    })();
    """#
}
