const control = 'a[href], button, input, select, textarea, [tabindex]'

export const isFocusable = (element: Element): element is HTMLElement =>
  element instanceof HTMLElement &&
  element.matches(control) &&
  !element.matches(':disabled, [hidden], [inert] *')

export const focusablesIn = (element: Element): HTMLElement[] =>
  [...element.querySelectorAll(control)].filter(isFocusable)
