import { useEffect } from 'react'

/** The path to an element: each ancestor with the index of the child that leads to it. */
interface FocusPath {
  element: HTMLElement
  steps: readonly { parent: Element; at: number }[]
}

let focused: FocusPath | undefined
/** the focused element before a dialog opened */
let behindDialogs: FocusPath | undefined

/**
 * When the focused element is removed, for example with its row, moves the focus to the element in its
 * position. Otherwise the keyboard would start at the top of the page. Rendered once.
 */
export function RestoreFocus() {
  useEffect(() => {
    const observer = new MutationObserver(() => {
      if (!focused) return
      if (focused.element.isConnected) return remember(focused.element)
      if (document.activeElement !== document.body) return
      const next = successorOf(focused)
      // another page has replaced the whole page; its start is where the keyboard begins anyway
      if (!next?.matches('.skip-link')) next?.focus()
    })
    const remember = (element: HTMLElement) => {
      focused = focusPathOf(element)
      if (!element.closest('[role=dialog]')) behindDialogs = focused
      observer.disconnect()
      for (const { parent } of focused.steps) observer.observe(parent, { childList: true })
    }
    const onFocus = ({ target }: FocusEvent) => {
      if (target instanceof HTMLElement && target !== document.body) remember(target)
    }
    const onBlur = ({ relatedTarget }: FocusEvent) => {
      const left = focused
      if (relatedTarget || !left) return
      // only a microtask later is it known whether the element lost focus or was removed; a window that loses
      // focus changes nothing
      queueMicrotask(() => {
        const isLeft = left.element.isConnected && document.activeElement !== left.element
        if (isLeft && focused === left) focused = undefined
      })
    }
    const stop = new AbortController()
    document.addEventListener('focusin', onFocus, { signal: stop.signal })
    document.addEventListener('focusout', onBlur, { signal: stop.signal })
    return () => {
      stop.abort()
      observer.disconnect()
      focused = behindDialogs = undefined
    }
  }, [])
  return null
}

/** The element to focus after a dialog if its opener was removed. Undefined while the opener exists. */
export function afterDialog(): HTMLElement | undefined {
  return behindDialogs && !behindDialogs.element.isConnected ? successorOf(behindDialogs) : undefined
}

function focusPathOf(element: HTMLElement): FocusPath {
  const steps: { parent: Element; at: number }[] = []
  let child: Element = element
  for (let parent = child.parentElement; parent && parent !== document.body; parent = child.parentElement) {
    steps.push({ parent, at: [...parent.children].indexOf(child) })
    child = parent
  }
  return { element, steps }
}

/** The same position in the next sibling, else in the previous one, else an ancestor. */
function successorOf({ steps }: FocusPath): HTMLElement | undefined {
  const found = steps.findIndex(({ parent }) => parent.isConnected)
  if (found < 0) return undefined
  const { parent, at } = steps[found]!
  const path = steps.slice(0, found).map((step) => step.at)
  const neighbours = [parent.children[at], parent.children[at - 1]].filter((one) => one !== undefined)
  for (const neighbour of neighbours) {
    const own = path.reduceRight<Element | undefined>((inner, step) => inner?.children[step], neighbour)
    const next = [own, neighbour].find((one) => one && isFocusable(one)) ?? focusablesIn(neighbour)[0]
    if (next) return next as HTMLElement
  }
  for (const { parent: ancestor } of steps.slice(found)) {
    const next = isFocusable(ancestor) ? ancestor : focusablesIn(ancestor)[0]
    if (next) return next
  }
  return undefined
}

const control = 'a[href], button, input, select, textarea, [tabindex]'

const isFocusable = (element: Element): element is HTMLElement =>
  element instanceof HTMLElement &&
  element.matches(control) &&
  !element.matches(':disabled, [hidden], [inert] *')

const focusablesIn = (element: Element): HTMLElement[] =>
  [...element.querySelectorAll(control)].filter(isFocusable)
