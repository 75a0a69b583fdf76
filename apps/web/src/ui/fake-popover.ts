/**
 * Plays what browsers do about `popover="auto"` and happy-dom does not: the button toggles, Escape and a press outside
 * close, and the focus goes back. Answers with how to end it.
 */
export function playPopovers(): () => void {
  const open = new Map<HTMLElement, Element | null>()
  const tell = (panel: HTMLElement, type: string, newState: string) =>
    panel.dispatchEvent(Object.assign(new Event(type), { newState }))

  const show = (panel: HTMLElement) => {
    tell(panel, 'beforetoggle', 'open')
    open.set(panel, document.activeElement)
    tell(panel, 'toggle', 'open')
  }
  const hide = (panel: HTMLElement, focusBack: boolean) => {
    const before = open.get(panel)
    if (!open.has(panel)) return
    tell(panel, 'beforetoggle', 'closed')
    const hadFocus = panel.contains(document.activeElement)
    open.delete(panel)
    if (focusBack && hadFocus && before instanceof HTMLElement) before.focus()
    tell(panel, 'toggle', 'closed')
  }
  const hideAll = (target: EventTarget | null, focusBack: boolean) => {
    for (const panel of open.keys()) {
      const isInside = target instanceof Element && (panel.contains(target) || buttonAt(target) !== null)
      if (!isInside) hide(panel, focusBack)
    }
  }
  const buttonAt = (target: Element) => target.closest<HTMLElement>('[popovertarget]')

  const listeners = {
    click({ target }: Event) {
      const id = target instanceof Element && buttonAt(target)?.getAttribute('popovertarget')
      const panel = id ? document.getElementById(id) : null
      if (panel) return open.has(panel) ? hide(panel, true) : show(panel)
    },
    pointerdown: ({ target }: Event) => hideAll(target, false),
    keydown: (event: Event) => (event as KeyboardEvent).key === 'Escape' && hideAll(null, true),
  }
  // a page that stops an event does not keep the browser from it
  const entries = Object.entries(listeners)
  for (const [type, listener] of entries) window.addEventListener(type, listener, true)
  HTMLElement.prototype.hidePopover = function () {
    hide(this, true)
  }
  return () => {
    for (const [type, listener] of entries) window.removeEventListener(type, listener, true)
  }
}
