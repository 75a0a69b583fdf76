import { describe, expect, test } from 'vitest'
import type { Given } from '../journey.ts'
import { expectText, overview } from '../overview.ts'
import { within } from '../../scripts/test-limits.ts'

/** A running container whose figures the lab holds still. */
export const quietRow = 102
const stoppedRow = 105
const pausedRow = 119

interface Watched {
  shifts: { value: number; at: number }[]
  /** how often many cells changed at once, as after a listing */
  updates: number
  touched: Record<string, string[]>
  /** the most mutations of one cell in one update */
  perCell: number
  /** the most elements added by one mutation */
  largest: number
  /** in the header: the logo flashes */
  inHead: number
  /** animation frames in which anything changed */
  frames: number
  /** animations that started: each requests frames continuously */
  animations: number
}

interface ShiftSource {
  node: Node | null
  previousRect: DOMRectReadOnly
  currentRect: DOMRectReadOnly
}

interface LayoutShiftEntry extends PerformanceEntry {
  value: number
  sources: ShiftSource[]
}

declare global {
  /** The page keeps the observations for this journey. */
  var watched: Watched
}

export function steadiness(given: Given): void {
  describe('while figures come in', () => {
    test('[spec 1 §2] nothing moves, and the row of an unchanged guest is not touched', async () => {
      const { page } = await given.open({
        stored: { dashboardGroupingMode: 'flat' },
        prepare: ({ page }) => page.addInitScript(noteShifts),
      })
      const view = overview(page)
      await view.ready()
      // Rates exist from the second listing on; those of the quiet guest are zero.
      await expectText(view.cell(100, 'Net Out'), 30_000).not.toBe('—')
      // the listing shows a paused guest as running until the guest itself was polled
      await expectText(view.cell(pausedRow, 'Uptime'), 30_000).toBe('—')
      await page.evaluate(watchRows, [String(quietRow), String(stoppedRow)])
      const from = await page.evaluate(() => performance.now())
      await page.waitForFunction(() => globalThis.watched.updates >= 2, undefined, {
        timeout: within(40_000),
      })

      const { shifts, touched, perCell, largest, inHead, frames, animations, updates } = await page.evaluate(
        () => globalThis.watched,
      )
      console.log(`layout shift while loading: ${sum(shifts.filter(({ at }) => at < from))}`)
      expect.soft(shifts.filter(({ at }) => at >= from)).toEqual([])
      expect(touched).toEqual({ [quietRow]: [], [stoppedRow]: [] })
      // At most five: a bar's size and, past a threshold, its colour; the hint; the figure and its unit. Never a cell
      // or a row.
      expect(perCell).toBeGreaterThan(0)
      expect(perCell).toBeLessThanOrEqual(5)
      expect(largest).toBeLessThanOrEqual(2)
      expect(inHead).toBeLessThanOrEqual(2 * updates)
      expect(animations).toBe(0)
      // the figures, the end of the flash, and updates of single nodes and guests in between
      expect(frames).toBeLessThanOrEqual(5 * updates)
    })
  })
}

const sum = (shifts: { value: number }[]) => shifts.reduce((total, { value }) => total + value, 0)

/** Runs in the page, from its start. */
function noteShifts() {
  // a figure with the same right edge has only become longer and has not moved
  const growsToTheLeft = ({ node, previousRect: was, currentRect: is }: ShiftSource) =>
    (node instanceof Element ? node : node?.parentElement)?.closest('[role=gridcell]') != null &&
    Math.abs(was.right - is.right) < 1 &&
    Math.abs(was.bottom - is.bottom) < 1
  globalThis.watched = {
    shifts: [],
    updates: 0,
    touched: {},
    perCell: 0,
    largest: 0,
    inHead: 0,
    frames: 0,
    animations: 0,
  }
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { value, startTime: at, sources } = entry as LayoutShiftEntry
      if (!sources.every(growsToTheLeft)) globalThis.watched.shifts.push({ value, at })
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Runs in the page. */
function watchRows(vmids: string[]) {
  const grid = document.querySelector('[role=treegrid][aria-label=Guests]')!
  const cellOf = (node: Node) =>
    (node instanceof Element ? node : node.parentElement)?.closest('[role=gridcell]')
  const rowOf = (vmid: string) =>
    [...grid.querySelectorAll('[role=row]')].find(
      (row) => row.querySelectorAll('[role=gridcell]')[2]?.textContent === vmid,
    )!
  for (const vmid of vmids) {
    const touched: string[] = (globalThis.watched.touched[vmid] = [])
    new MutationObserver((changes) => {
      for (const { type, target } of changes) touched.push(`${type} of ${target.textContent}`)
    }).observe(rowOf(vmid), { subtree: true, childList: true, characterData: true, attributes: true })
  }
  new MutationObserver((changes) => {
    const { watched } = globalThis
    const perCell = new Map<Element, number>()
    for (const { target, addedNodes } of changes) {
      const cell = cellOf(target)
      if (cell) perCell.set(cell, (perCell.get(cell) ?? 0) + 1)
      for (const node of addedNodes) {
        if (node instanceof Element)
          watched.largest = Math.max(watched.largest, 1 + node.querySelectorAll('*').length)
      }
    }
    watched.perCell = Math.max(watched.perCell, ...perCell.values())
    if (perCell.size > 10) watched.updates++
  }).observe(grid, { subtree: true, childList: true, characterData: true, attributes: true })
  const { watched } = globalThis
  const anything = { subtree: true, childList: true, characterData: true, attributes: true }
  let isCounted = false
  new MutationObserver(() => {
    if (isCounted) return
    isCounted = true
    watched.frames++
    requestAnimationFrame(() => (isCounted = false))
  }).observe(document, anything)
  const animate = Element.prototype.animate
  Element.prototype.animate = function (...given) {
    watched.animations++
    return animate.apply(this, given)
  }
  for (const event of ['animationstart', 'transitionrun']) {
    document.addEventListener(event, () => void watched.animations++)
  }
  new MutationObserver((changes) => {
    globalThis.watched.inHead += changes.length
  }).observe(document.querySelector('header')!, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
  })
}
