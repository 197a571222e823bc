// Pages of a server: one stream of events a tab says when to look again. What is shown always comes from the server whole and is laid over
// what is there, so that an event that is lost, late, or heard twice makes no difference once the next one, or a new connection, comes.
"use strict";
(() => {
  const events = document.documentElement.dataset.events, status = document.getElementById("live");
  if (!events) return;
  // A stream names its events as traces do, and a listener names what it wants to hear. What a guard names itself follows a `judged`.
  const names = ["message", "resync", "run-started", "round-started", "asking", "provider-failed", "replied", "spent", "mended", "extracted",
    "no-patch", "sanitized", "refused", "placed", "misfit", "judging", "judged", "fixing", "fixed", "not-fixed", "settling", "committed",
    "staged", "feedback", "rejected-kept", "cycle", "notice", "run-ended"];
  let source, waiting = false, asking = false, again = false, delay = 500;

  // Makes `own` equal to `other`, and leaves what is equal, or open, or looked at, as it is.
  const lay = (own, other) => {
    if (own.isEqualNode(other)) return own;
    if (own.nodeType !== other.nodeType || own.nodeName !== other.nodeName || own.id !== other.id) { own.replaceWith(other); return other; }
    if (own.nodeType !== 1) { if (own.nodeValue !== other.nodeValue) own.nodeValue = other.nodeValue; return own; }
    const kept = name => ["open", "hidden", "aria-current"].includes(name);
    [...own.attributes].forEach(({ name }) => { if (!kept(name) && !other.hasAttribute(name)) own.removeAttribute(name); });
    [...other.attributes].forEach(({ name, value }) => { if (!kept(name)) own.setAttribute(name, value); });
    if (own.nodeName === "TIME" && own.title === other.title) return own;
    const named = new Map([...own.children].filter(child => child.id).map(child => [child.id, child]));
    let at = own.firstChild;
    for (const wanted of [...other.childNodes]) {
      const same = wanted.id && named.get(wanted.id);
      if (same && same !== at) own.insertBefore(same, at);
      const mine = same || (at && !(at.id && at.id !== wanted.id) ? at : null);
      const laid = mine ? lay(mine, wanted) : own.insertBefore(wanted, at);
      at = laid.nextSibling;
    }
    while (at) { const next = at.nextSibling; at.remove(); at = next; }
    return own;
  };

  const look = async () => {
    if (asking) { again = true; return; }
    asking = true;
    try {
      const answer = await fetch(location.pathname + location.search, { headers: { accept: "text/html" }, cache: "no-store" });
      if (answer.ok) {
        const page = new DOMParser().parseFromString(await answer.text(), "text/html");
        lay(document.getElementById("page"), page.getElementById("page"));
        window.guardhostPage.prepare(document);
      }
      status.textContent = answer.ok ? "live" : "the server refuses this page";
    } catch { status.textContent = "not connected"; }
    asking = false;
    if (again) { again = false; soon(); }
  };
  // Several events at once are one look.
  const soon = () => { if (!waiting) { waiting = true; setTimeout(() => { waiting = false; look(); }, 60); } };

  const connect = () => {
    if (source) source.close();
    if (document.hidden) return;
    source = new EventSource(events);
    source.onopen = () => { status.textContent = "live"; delay = 500; soon(); };
    names.forEach(name => source.addEventListener(name, soon));
    source.onerror = () => {
      status.textContent = "not connected";
      // The browser goes on by itself, with the id of the last event, unless the server turned it away.
      if (source.readyState === EventSource.CLOSED) { setTimeout(connect, delay); delay = Math.min(delay * 2, 15000); }
    };
  };
  // A tab that is not seen holds no connection: browsers allow six to a server.
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) connect();
    else if (source) source.close();
  });
  connect();
})();
