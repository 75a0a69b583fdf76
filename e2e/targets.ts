import type { Page } from 'playwright-core'

/** Controls that a finger misses when it is 11 px off the centre. */
export const smallTargets = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const off = 11
    const controls = 'main :is(a[href], button:not(:disabled), [role=switch], select, summary)'
    const isWithin = (element: Element, x: number, y: number) => {
      const hit = document.elementFromPoint(x, y)
      return hit !== null && (element.contains(hit) || hit.closest('label')?.contains(element) === true)
    }
    return [...document.querySelectorAll(controls)].flatMap((element) => {
      const { left, top, width, height } = element.getBoundingClientRect()
      const [x, y] = [left + width / 2, top + height / 2]
      // invisible or not reachable at this position: below a sticky element, or outside the window
      if (width < 2 || height < 2 || y + off > innerHeight || !isWithin(element, x, y)) return []
      const misses = [
        [x, y - off],
        [x, y + off],
        [x - off, y],
        [x + off, y],
      ].filter(([atX, atY]) => !isWithin(element, atX!, atY!))
      if (misses.length === 0) return []
      const name = element.getAttribute('aria-label') ?? element.textContent.trim()
      return [`${Math.round(width)} x ${Math.round(height)} px: ${name || element.outerHTML.slice(0, 80)}`]
    })
  })
