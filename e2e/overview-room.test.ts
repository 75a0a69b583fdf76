import type { Locator, Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { examine } from './examine.ts'
import { journeys } from './journey.ts'
import { expectText, guestColumns, overview } from './overview.ts'
import { expectNoSideways } from './screens.ts'
import { within } from '../scripts/test-limits.ts'

const pollMs = 15_000
const folded = /^\d+ more, all healthy$/

journeys(
  'a large estate',
  (given) => {
    const open = async (screen: Parameters<typeof given.open>[0] = {}) => {
      const { page } = await given.open(screen)
      const view = overview(page)
      await view.ready()
      await page.getByRole('button', { name: folded }).waitFor()
      return { page, view, fold: page.getByRole('button', { name: folded }) }
    }

    test('25 nodes leave the first screen to the guests; healthy nodes expand on request and stay expanded', async () => {
      const { page, view, fold } = await open({ width: 1440, height: 900 })
      expect(await topOf(view.guests)).toBeLessThan(500)
      const before = await view.nodes.getByRole('row').count()
      await fold.click()
      await expect.poll(() => view.nodes.getByRole('row').count()).toBeGreaterThan(before + 10)
      await page.reload()
      await view.ready()
      await expect.poll(() => fold.getAttribute('aria-expanded')).toBe('true')
      await fold.click()
      await expect.poll(() => view.nodes.getByRole('row').count()).toBe(before)
    })

    test('both tables share their columns while there is room for rates; rates are the first to be dropped', async () => {
      const { page, view } = await open({ width: 1440, height: 900 })
      const heads = view.guests.getByRole('columnheader')
      for (const width of [640, 820, 1024, 1088, 1440, 1920]) {
        await page.setViewportSize({ width, height: 900 })
        const hasRates = width >= 1088
        const wanted = guestColumns.slice(0, hasRates ? guestColumns.length : -4)
        await expect.poll(() => heads.allInnerTexts(), { message: `at ${width} px` }).toEqual(wanted)
        for (const column of hasRates ? ['Uptime', 'CPU', 'Memory', 'Disk'] : []) {
          const ends = await Promise.all(
            [view.nodes, view.guests].map((table) =>
              endOf(table.getByRole('columnheader', { name: column, exact: true })),
            ),
          )
          expect(Math.abs(ends[0]! - ends[1]!), `${column} at ${width} px`).toBeLessThan(1.5)
        }
        const bars = await page
          .locator('[role=row] .usage-bar')
          .evaluateAll((all) => all.map((bar) => (bar as HTMLElement).offsetWidth))
        expect(Math.min(...bars), `bars at ${width} px`).toBeGreaterThanOrEqual(24)
        if (width >= 820) expect(await goSideways(page), `at ${width} px`).toBe(0)
        expect(await crampedFigures(page), `at ${width} px`).toEqual([])
        await expectNoSideways(page)
      }
    })

    test('the filters open and close without moving the header of the table', async () => {
      const { page, view } = await open({ width: 1440, height: 900 })
      for (const width of [1440, 1100, 800]) {
        await page.setViewportSize({ width, height: 900 })
        const before = await topOf(view.head('Name'))
        await view.filters.click()
        await view.search.waitFor()
        expect(await topOf(view.head('Name')), `opened at ${width} px`).toBe(before)
        await view.filters.click()
        await view.search.waitFor({ state: 'detached' })
        expect(await topOf(view.head('Name')), `closed at ${width} px`).toBe(before)
      }
    })

    test('the header of a group sticks below the header of the table while its guests are visible', async () => {
      const { page, view } = await open({ width: 1440, height: 900 })
      expect(await page.locator('[data-pinned]').count()).toBe(0)
      const heads = view.guests.getByRole('columnheader', { name: 'CPU', exact: true })
      await page.mouse.move(700, 700)
      await page.mouse.wheel(0, 2_000)
      const pinned = page.locator('[data-pinned]')
      await pinned.waitFor()
      await expect.poll(() => topOf(heads)).toBe(0)
      await expect.poll(() => topOf(pinned)).toBe(32)
      const vmid = await firstBelow(page, 70)
      const { node } = given.estate.lab.control.guests().find((guest) => guest.vmid === vmid)!
      expect(await pinned.innerText()).toMatch(new RegExp(`^${node}\\s.*\\d%`, 's'))
      await page.mouse.wheel(0, -5_000)
      await pinned.waitFor({ state: 'detached' })
    })

    test('rows are 32 px high, dense ones 28', async () => {
      const { page, view } = await open()
      const height = async () =>
        (await view.guests.locator('[data-row^=guest]').first().boundingBox())!.height
      expect(await height()).toBe(32)
      await page.getByRole('button', { name: 'Dense rows' }).click()
      await expect.poll(height).toBe(28)
      const [first, second] = await view.guests
        .locator('[data-row^=guest]')
        .evaluateAll((rows) => rows.slice(0, 2).map((row) => row.getBoundingClientRect().top))
      expect(second! - first!).toBe(28)
    })

    test('at twice the font size or half the width no figure is cut off and no rows overlap', async () => {
      const { page, view } = await open({ width: 1440, height: 900 })
      const height = async () =>
        (await view.guests.locator('[data-row^=guest]').first().boundingBox())!.height
      await page.setViewportSize({ width: 720, height: 450 })
      expect(await cutOff(page), 'at 200 %').toEqual([])
      await expectNoSideways(page)
      await page.setViewportSize({ width: 1440, height: 900 })
      await page.evaluate(() => {
        document.documentElement.style.fontSize = '200%'
        window.dispatchEvent(new Event('resize'))
      })
      await expect.poll(height).toBe(64)
      expect(await cutOff(page), 'of letters alone').toEqual([])
      await expectNoSideways(page)
    })

    test('nothing moves when the user prefers reduced motion', async () => {
      const { page } = await open()
      await page.emulateMedia({ reducedMotion: 'reduce' })
      const moving = await page.evaluate(
        () =>
          [...document.querySelectorAll('*')].filter((element) => {
            const { transitionDuration, animationDuration, animationIterationCount } =
              getComputedStyle(element)
            const isLong = (times: string) => times.split(',').some((time) => Number.parseFloat(time) > 0.001)
            return (
              isLong(transitionDuration) ||
              isLong(animationDuration) ||
              animationIterationCount === 'infinite'
            )
          }).length,
      )
      expect(moving).toBe(0)
      // running animations end; new ones take less than a millisecond
      await page.waitForFunction(() => document.getAnimations().length === 0)
    })

    test.each([
      { width: 1440, height: 900, dark: false },
      { width: 380, height: 800, dark: true },
    ])(
      '[spec 1 §4] an offline node comes first, on every screen: %o',
      async (screen) => {
        const { lab } = given.estate
        const { page, view } = await open(screen)
        await lab.control.patchNode('pve20', { online: false })
        const row = view.node('pve20')
        await expectText(row, pollMs).toMatch(/Offline · \d+ (s|min)/)
        await expect.poll(() => view.nodes.locator('[data-row]').first().innerText()).toContain('pve20')
        const summary = page.getByRole('group', { name: 'Summary' })
        await expectText(summary.getByRole('button', { name: /^Unreachable/ })).toMatch(/1 node, \d+ guests/)
        expect(await view.connection.evaluate((element) => getComputedStyle(element).color)).not.toBe(
          await colourOf(page, '--green'),
        )
        await summary.getByRole('button', { name: /^Unreachable/ }).click()
        await expectText(view.group('pve20')).toContain('unreachable')
        expect(await view.nodes.locator('[data-row]').count()).toBe(1)
        await expectNoSideways(page)
        await examine(page, `${screen.dark ? 'dark' : 'light'}-${screen.width}-node-lost`)
        await page.emulateMedia({ forcedColors: 'active' })
        const edge = row.locator('.down-edge')
        const canvas = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
        expect(await edge.evaluate((element) => getComputedStyle(element).backgroundColor)).not.toBe(canvas)
        await page.keyboard.press('Escape')
        await page.getByRole('button', { name: folded }).waitFor()
        await lab.control.patchNode('pve20', { online: true })
        await page
          .getByText(/^Offline/)
          .first()
          .waitFor({ state: 'detached', timeout: within(40_000) })
      },
      within(90_000),
    )

    test('[spec 1 §4] an unreachable cluster is one prominent line that expands; the guests still begin on the first screen', async () => {
      const { lab } = given.estate
      const { page, view } = await open({ width: 1440, height: 900 })
      lab.control.addFault({ kind: 'hang' })
      const lost = page.getByRole('button', { name: '25 nodes unreachable' })
      await lost.waitFor({ timeout: within(60_000) })
      expect(await view.nodes.locator('[data-row]').count()).toBe(1)
      expect(await topOf(view.guests)).toBeLessThan(400)
      await examine(page, 'light-1440-cluster-lost')
      await lost.click()
      await expect.poll(() => view.nodes.locator('[data-row]').count()).toBeGreaterThan(20)
      lab.control.clearFaults()
    }, 120_000)
  },
  { lab: { nodes: 25, guests: 250 } },
)

const box = async (element: Locator) => (await element.boundingBox())!
const topOf = async (element: Locator) => Math.round((await box(element)).y)
const endOf = async (element: Locator) => {
  const { x, width } = await box(element)
  return x + width
}

/** The number of tables that are wider than their window. */
const goSideways = (page: Page) =>
  page
    .locator(':is([role=grid], [role=treegrid]) > [role=rowgroup]')
    .evaluateAll((bodies) => bodies.filter((body) => body.scrollWidth > body.clientWidth + 1).length)

/** Every column of rates has room for the longest figure. */
const crampedFigures = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll('[role=treegrid] [data-row^=guest]')].slice(0, 1).flatMap((row) =>
      [...row.querySelectorAll<HTMLElement>('[role=gridcell]')].slice(7).flatMap((cell, index) => {
        const probe = cell.cloneNode(true) as HTMLElement
        probe.textContent = '1,006 KB/s'
        cell.after(probe)
        probe.style.width = `${cell.offsetWidth}px`
        const short = probe.scrollWidth - probe.clientWidth
        probe.remove()
        return short > 0 ? [`rate ${index} lacks ${short} px`] : []
      }),
    ),
  )

/** Cells too narrow for their figures, and rows that overlap the next one. */
const cutOff = (page: Page) =>
  page.evaluate(() => {
    const rows = [...document.querySelectorAll<HTMLElement>('[role=row]')]
    const cells = rows.flatMap((row) => [...row.querySelectorAll<HTMLElement>('[role=gridcell]')])
    const cramped = cells
      .filter((cell) => cell.scrollHeight > cell.clientHeight + 1 || cell.scrollWidth > cell.clientWidth + 1)
      .map((cell) => `no room for ${cell.textContent}`)
    const overlapping = rows.filter((row, at) => {
      const next = rows[at + 1]
      if (!next || next.parentElement !== row.parentElement) return false
      return next.getBoundingClientRect().top < row.getBoundingClientRect().bottom - 1
    })
    return [...cramped, ...overlapping.map((row) => `below ${row.textContent}`)]
  })

/** The number of the first guest below the sticky headers. */
const firstBelow = (page: Page, y: number) =>
  page.evaluate((at) => {
    const row = document.elementFromPoint(300, at)!.closest('[role=row]')!
    return Number(row.querySelectorAll('[role=gridcell]')[2]?.textContent)
  }, y)

const colourOf = (page: Page, variable: string) =>
  page.evaluate((name) => {
    const probe = document.body.appendChild(document.createElement('span'))
    probe.style.color = `var(${name})`
    const { color } = getComputedStyle(probe)
    probe.remove()
    return color
  }, variable)
