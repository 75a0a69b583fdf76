import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Given } from '../journey.ts'
import { expectText, expectVmids, guestColumns, nodeColumns, overview } from '../overview.ts'

interface Stop {
  name: string
  visible: boolean
}

export function keyboard(given: Given): void {
  describe('by keyboard alone', () => {
    const open = async (size?: { width: number; height: number }) => {
      const { page } = await given.open(size)
      const view = overview(page)
      await view.ready()
      return { page, view, press: (key: string) => page.keyboard.press(key) }
    }

    describe('the order of Tab', () => {
      test('[spec 1 §2] goes through header, nodes, filters and guests, and the focus is always visible', async () => {
        const { page, press } = await open()
        const stops: Stop[] = []
        for (let step = 0; step < 50; step++) {
          await press('Tab')
          const stop = await focused(page)
          if (!stop) break
          stops.push(stop)
          if (stop.name.startsWith('Details of')) break
        }
        // other tests check the figures
        const names = stops.map(({ name }) =>
          name.replace(/^(Nodes|Running|Stopped|Unreachable|Need attention) .*$/, '$1'),
        )
        expect(names).toEqual([
          'Skip to content',
          'Proxmox',
          'Docker',
          'Add host: Docker',
          'Alerts',
          'Settings',
          'Time machine',
          'Logout',
          'Switch to dark mode',
          'Overview',
          'Storage',
          'Backups',
          'Changes',
          'Nodes',
          'Running',
          'Stopped',
          'Unreachable',
          'Need attention',
          ...nodeColumns,
          'row: pve1',
          'pve1, open web interface',
          'Open page of pve1',
          'Filters',
          'Trends',
          'Dense rows',
          ...guestColumns,
          'row: pve1',
          'pve1, open web interface',
          'Open page of pve1',
        ])
        expect(stops.filter(({ visible }) => !visible)).toEqual([])

        await press('Shift+Tab')
        expect((await focused(page))?.name).toBe('Open page of pve1')
      })

      test('[spec 1 §2] the skip link goes to the content', async () => {
        const { page, press } = await open()
        await press('Tab')
        await press('Enter')
        expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('MAIN')
      })
    })

    describe('the tables', () => {
      test('[spec 1 §2] arrows, Page, Home and End move between rows and scroll them into view', async () => {
        const { page, view, press } = await open()
        await view.group('pve1').focus()
        const at = async () => (await focused(page))?.name
        const isInWindow = () =>
          page.evaluate(() => {
            const { left, top, bottom } = document.activeElement!.getBoundingClientRect()
            const hit = (y: number) =>
              document.activeElement!.contains(document.elementFromPoint(Math.max(left, 0) + 40, y))
            return hit(top + 4) && hit(bottom - 4)
          })
        const moves = [
          ['ArrowDown', 'row: 100'],
          ['ArrowDown', 'row: 105'],
          ['ArrowUp', 'row: 100'],
          ['End', 'row: 174'],
          ['ArrowDown', 'row: 174'],
          ['ArrowUp', 'row: 169'],
          ['PageUp', undefined],
          ['PageUp', undefined],
          ['PageDown', undefined],
          ['Home', 'row: pve1'],
          ['ArrowUp', 'row: pve1'],
        ] as const
        for (const [key, row] of moves) {
          await press(key)
          if (row) await expect.poll(at, { message: key }).toBe(row)
          await expect.poll(isInWindow, { message: `${key}: ${await at()} is in the window` }).toBe(true)
          expect((await focused(page))?.visible).toBe(true)
        }
      })

      test('ArrowRight opens a guest, ArrowLeft closes it and then moves to its node', async () => {
        const { page, view, press } = await open()
        await view.guest(100).focus()
        await press('ArrowRight')
        await view.details(100).waitFor()
        await press('ArrowLeft')
        await view.details(100).waitFor({ state: 'detached' })
        await press('ArrowLeft')
        await expect.poll(async () => (await focused(page))?.name).toBe('row: pve1')
      })

      test('at 700 px Tab through the headers scrolls the columns along', async () => {
        const { view, press } = await open({ width: 700, height: 800 })
        await view.head('Name').getByRole('button').focus()
        const heads = await view.guests.getByRole('columnheader').count()
        for (let step = 1; step < heads; step++) await press('Tab')
        await expect
          .poll(() =>
            view.guests.evaluate((table) =>
              [...table.querySelectorAll(':scope > [role=rowgroup]')].map((group) => group.scrollLeft),
            ),
          )
          .toSatisfy(([head, body]: number[]) => head! > 0 && head === body)
      })

      test('[spec 1 §2] Enter opens and closes a guest; its own button and link can be reached', async () => {
        const { page, view, press } = await open()
        await view.guest(100).focus()
        await press('Enter')
        await view.details(100).waitFor()
        await press('ArrowDown')
        await expect.poll(async () => (await focused(page))?.name).toBe('row: 105')
        await press('ArrowUp')
        await press('Enter')
        await view.details(100).waitFor({ state: 'detached' })
        await press('Tab')
        expect((await focused(page))?.name).toBe('Details of web01')
        await press('Enter')
        await view.details(100).waitFor()
        await press('Space')
        await view.details(100).waitFor({ state: 'detached' })
      })

      test('[spec 1 §2] Enter sorts on a header and selects on a node, Escape undoes it', async () => {
        const { view, press } = await open()
        const top = (lines: string[]) => lines.slice(0, 10)
        const before = top(await view.lines())
        await view.head('Name').getByRole('button').focus()
        await press('Enter')
        await expect.poll(() => view.head('Name').getAttribute('aria-sort')).toBe('ascending')
        await press('Enter')
        await expect.poll(() => view.head('Name').getAttribute('aria-sort')).toBe('descending')
        const byName = view.nodes.getByRole('columnheader', { name: 'Node', exact: true })
        await byName.getByRole('button').focus()
        await press('Enter')
        await expect.poll(() => byName.getAttribute('aria-sort')).toBe('ascending')

        await view.node('pve3').focus()
        await press('Enter')
        await expect.poll(() => view.node('pve3').getAttribute('aria-selected')).toBe('true')
        await expect.poll(async () => (await view.lines())[0]).toBe('pve3')
        await press('Escape')
        await expect.poll(async () => top(await view.lines())).toEqual(before)
      })
    })

    describe('search and filters', () => {
      test('[spec 1 §2] / focuses the search, Tab moves on, arrows choose, Escape resets and hides', async () => {
        const { page, view, press } = await open()
        await press('/')
        await page.keyboard.type('web')
        await expectText(view.filters).toContain('1')
        const names: string[] = []
        const invisible: string[] = []
        while (names.at(-1) !== 'Reset') {
          await press('Tab')
          const stop = (await focused(page))!
          names.push(stop.name)
          if (!stop.visible) invisible.push(stop.name)
          if (names.length > 10) break
        }
        expect(names).toEqual([
          'Clear search',
          'Search history',
          'Search tips',
          'All',
          'All',
          'Grouped',
          'Reset',
        ])
        expect(invisible).toEqual([])

        await press('Shift+Tab')
        await press('ArrowRight')
        expect(await view.toggle('Layout', 'List').isChecked()).toBe(true)
        await press('Shift+Tab')
        await press('Shift+Tab')
        await press('ArrowRight')
        expect(await view.toggle('Type', 'VMs').isChecked()).toBe(true)
        await expectVmids(view).toContain(100)

        // A letter typed on a control without text input goes to the search field.
        await page.keyboard.type('0')
        expect(await view.search.inputValue()).toBe('web0')
        await expectVmids(view).toEqual([100])
        await press('Escape')
        expect(await view.search.inputValue()).toBe('')
        expect(await view.toggle('Layout', 'Grouped').isChecked()).toBe(true)
        await press('Escape')
        await view.search.waitFor({ state: 'detached' })
      })

      test('[spec 1 §2] history and tips open, can be walked through, and return the focus', async () => {
        const { page, view, press } = await open()
        for (const term of ['web', 'db']) {
          await view.showFilters()
          await view.search.focus()
          await view.search.fill(term)
          await press('Enter')
        }
        await page.getByRole('button', { name: 'Search history' }).focus()
        await press('Enter')
        await page.getByRole('dialog', { name: 'Search history' }).waitFor()
        await press('Tab')
        expect((await focused(page))?.name).toBe('db')
        await press('ArrowDown')
        expect((await focused(page))?.name).toBe('web')
        await press('Enter')
        expect(await view.search.inputValue()).toBe('web')
        expect(await view.search.evaluate((box) => box === document.activeElement)).toBe(true)
        await page.getByRole('button', { name: 'Search tips' }).focus()
        await press('Enter')
        await press('Escape')
        expect((await focused(page))?.name).toBe('Search tips')
        expect(await view.search.inputValue()).toBe('web')
      })
    })
  })
}

/** The focused element, and whether the focus is visible: an outline on the element or its frame. */
function focused(page: Page): Promise<Stop | undefined> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (!element || element === document.body) return undefined
    const hasOutline = (one: Element | null) => {
      if (!one) return false
      const { outlineStyle, outlineWidth, outlineColor } = getComputedStyle(one)
      return outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2 && !outlineColor.endsWith(', 0)')
    }
    const cells = element.querySelectorAll('[role=gridcell]')
    const row = cells.length > 1 && cells[2]!.textContent
    const isGuest = row && /^\d+$/.test(row)
    const name = element.matches('[role=row]')
      ? `row: ${isGuest ? row : element.querySelector('a')?.textContent}`
      : (element.ariaLabel ??
        (element instanceof HTMLInputElement ? element.labels?.[0]?.textContent : undefined) ??
        element.textContent)
    return {
      name: name.trim(),
      visible:
        hasOutline(element) || hasOutline(element.closest('label')) || hasOutline(element.parentElement),
    }
  })
}
