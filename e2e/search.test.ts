import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { type Given, journeys } from './journey.ts'
import { expectText, expectVmids, type Overview, overview, shownGuests } from './overview.ts'

const tall = { height: 3_000 }

async function openWithFilters(given: Given): Promise<{ page: Page; view: Overview }> {
  const { page } = await given.open(tall)
  const view = overview(page)
  await view.ready()
  await view.showFilters()
  return { page, view }
}

journeys(
  'search and filters',
  (given) => {
    const all = () => shownGuests(given.estate.lab)
    type LabGuest = ReturnType<typeof all>[number]
    const numbers = (keeps: (guest: LabGuest) => boolean) =>
      all()
        .filter(keeps)
        .map(({ vmid }) => vmid)
    const isCalled = (guest: LabGuest, part: string) => guest.name?.includes(part) ?? false

    describe('the search box', () => {
      test('[spec 1 §5] both grammars', async () => {
        const { view } = await openWithFilters(given)
        await view.toggle('Layout', 'List').click()
        const finds = async (text: string, expected: readonly number[]) => {
          expect(expected, text).not.toEqual([])
          await view.search.fill(text)
          await expectVmids(view).toEqual(expected)
        }
        await finds(
          'GITEA',
          numbers((guest) => isCalled(guest, 'gitea')),
        )
        await finds(
          'web, db',
          numbers((guest) => isCalled(guest, 'web') || isCalled(guest, 'db')),
        )
        await finds('101', [101])
        await finds('cpu>80', [100, 101, 102])
        await finds('cpu>80, node:pve2', [101])
        await finds('cpu>=95, tags:network', [102])
        await finds(
          'status:stopped, node:pve1',
          numbers(({ status, node }) => status === 'stopped' && node === 'pve1'),
        )
        await finds('cpu>80 AND tags:production AND node:pve3', [102])
        await finds('cpu==95 or name:gitea', [101, 102, 123])
        await view.search.fill('')
        await expectVmids(view).toHaveLength(all().length)
      })

      test('[spec 1 §2] typing anywhere goes to it, and / does without a letter', async () => {
        const { page } = await given.open(tall)
        const view = overview(page)
        await view.ready()
        expect(await view.search.count()).toBe(0)
        await page.keyboard.type('gite')
        expect(await view.search.inputValue()).toBe('gite')
        await expectVmids(view).toEqual([123])
        await view.search.fill('')
        await view.search.evaluate((box: HTMLElement) => box.blur())
        await page.keyboard.press('/')
        expect(await view.search.evaluate((box) => box === document.activeElement)).toBe(true)
        expect(await view.search.inputValue()).toBe('')
      })

      test('[spec 1 §4] history: Enter and leaving keep a term, newest first; one or all can be removed', async () => {
        const { page, view } = await openWithFilters(given)
        const open = () => page.getByRole('button', { name: 'Search history' }).click()
        const terms = () => page.getByRole('list', { name: 'Recent searches' }).locator('[data-term]')
        await view.search.fill('web')
        await view.search.press('Enter')
        await view.search.fill('cpu>80')
        await view.search.blur()
        await view.search.fill('WEB')
        await view.search.press('Enter')
        await view.search.fill('   ')
        await view.search.press('Enter')
        await open()
        expect(await terms().allInnerTexts()).toEqual(['WEB', 'cpu>80'])
        await terms().nth(1).click()
        expect(await view.search.inputValue()).toBe('cpu>80')
        await expectVmids(view).toEqual([100, 101, 102])

        await page.reload()
        await view.ready()
        await open()
        // The reload left the field, which stored its term as the newest.
        expect((await terms().allInnerTexts()).toSorted()).toEqual(['WEB', 'cpu>80'])
        await page.getByRole('button', { name: 'Remove WEB' }).click()
        expect(await terms().allInnerTexts()).toEqual(['cpu>80'])
        await page.getByRole('button', { name: 'Clear history' }).click()
        await page.getByText('No recent searches.').waitFor()
      })

      test('[spec 1 §2] the tips close on Escape and on a press outside, and Escape does nothing more', async () => {
        const { page, view } = await openWithFilters(given)
        await view.search.fill('gitea')
        const button = page.getByRole('button', { name: 'Search tips' })
        const tips = page.getByRole('dialog', { name: 'Search tips' })
        await button.click()
        await tips.getByText('cpu>80', { exact: true }).waitFor()
        await page.keyboard.press('Escape')
        await tips.waitFor({ state: 'detached' })
        expect(await view.search.inputValue()).toBe('gitea')
        expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
        await button.click()
        await tips.waitFor()
        await page.getByRole('banner').click({ position: { x: 5, y: 5 } })
        await tips.waitFor({ state: 'detached' })

        const earlier = page.getByRole('dialog', { name: 'Search history' })
        await page.getByRole('button', { name: 'Search history' }).click()
        await earlier.getByText('gitea').waitFor()
        for (let stop = 0; stop < 4; stop++) await page.keyboard.press('Tab')
        await earlier.waitFor({ state: 'detached' })
        expect(await button.evaluate((element) => element === document.activeElement)).toBe(true)
        expect(await view.search.inputValue()).toBe('gitea')
      })

      test('[spec 1 §2] the button of the tips closes them too, and they stand behind it in the order of Tab', async () => {
        const { page } = await openWithFilters(given)
        const button = page.getByRole('button', { name: 'Search tips' })
        const tips = page.getByRole('dialog', { name: 'Search tips' })
        const isFocused = (element: Element) => element === document.activeElement
        await button.click()
        await tips.waitFor()
        await expect.poll(() => tips.evaluate(isFocused)).toBe(true)
        await page.keyboard.press('Shift+Tab')
        await expect.poll(() => button.evaluate(isFocused)).toBe(true)
        await button.press('Enter')
        await tips.waitFor({ state: 'detached' })
        await button.click()
        await tips.waitFor()
        await button.click()
        await tips.waitFor({ state: 'detached' })
        await button.click()
        await tips.waitFor()
        await page.keyboard.press('Tab')
        await tips.waitFor({ state: 'detached' })
        expect(await button.evaluate(isFocused)).toBe(false)
      })

      test('pressing what is outside puts the focus there, and not back to the button', async () => {
        const { page, view } = await openWithFilters(given)
        await page.getByRole('button', { name: 'Search history' }).click()
        await page.getByRole('dialog', { name: 'Search history' }).waitFor()
        await view.search.click()
        await page.getByRole('dialog', { name: 'Search history' }).waitFor({ state: 'detached' })
        expect(await view.search.evaluate((box) => box === document.activeElement)).toBe(true)
      })
    })

    describe('filters', () => {
      test('[spec 1 §2] type and status, and the active one again returns to All', async () => {
        const { page, view } = await openWithFilters(given)
        await view.toggle('Layout', 'List').click()
        // Only a VM's own status shows that it is paused; the server reads it shortly after the start.
        const shows = (keeps: (guest: LabGuest) => boolean) =>
          expectVmids(view, 60_000).toEqual(numbers(keeps))
        await view.toggle('Type', 'LXCs').click()
        await shows(({ kind }) => kind === 'lxc')
        await view.toggle('Status', 'Stopped').click()
        await shows(({ kind, status }) => kind === 'lxc' && status === 'stopped')
        await page.getByText('0 running', { exact: true }).waitFor()
        await expectText(view.filters).toContain('2')
        await view.toggle('Type', 'LXCs').click()
        await shows(({ status }) => status !== 'running')
        await view.toggle('Status', 'Running').click()
        await view.toggle('Type', 'VMs').click()
        await shows(({ kind, status }) => kind === 'qemu' && status === 'running')
        await view.toggle('Status', 'Running').click()
        await view.toggle('Type', 'VMs').click()
        await shows(() => true)
      })

      test('[spec 1 §2] what remains when nothing matches', async () => {
        const { page, view } = await openWithFilters(given)
        await view.search.fill('no-such-guest')
        await page.getByRole('heading', { name: 'No guests found' }).waitFor()
        await page.getByText('No guests match your search "no-such-guest"', { exact: true }).waitFor()
        expect(await view.guests.count()).toBe(0)
        await view.search.fill('')
        await view.ready()

        const without = ['pve1', 'pve2', 'pve3'].find(
          (name) =>
            numbers((g) => g.kind === 'lxc' && g.status === 'stopped' && g.node === name).length === 0,
        )
        await view.node(without!).getByRole('gridcell').nth(1).click()
        await view.toggle('Type', 'LXCs').click()
        await view.toggle('Status', 'Stopped').click()
        await page.getByText('No guests match your current filters', { exact: true }).waitFor()
        await page.getByRole('button', { name: 'Reset filters' }).click()
        await expectVmids(view).toHaveLength(all().length)
      })

      test('[spec 1 §3] kept over a reload, with the search; Reset returns to the defaults', async () => {
        const { page, view } = await openWithFilters(given)
        const chosen = [
          ['Type', 'LXCs'],
          ['Status', 'Running'],
          ['Layout', 'List'],
        ] as const
        for (const [group, choice] of chosen) await view.toggle(group, choice).click()
        await view.head('Name').getByRole('button').click()
        // the name of every node contains it
        await view.search.fill('e')
        await page.waitForURL(/search=e/)
        await page.reload()
        await view.ready()
        for (const [group, choice] of chosen) expect(await view.toggle(group, choice).isChecked()).toBe(true)
        expect(await view.head('Name').getAttribute('aria-sort')).toBe('ascending')
        expect(await view.search.inputValue()).toBe('e')
        const names = all()
          .filter(({ kind, status }) => kind === 'lxc' && status === 'running')
          .map(({ vmid, name }) => ({ vmid, name: name ?? `CT ${vmid}` }))
          .toSorted((a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }))
        await expectVmids(view).toEqual(names.map(({ vmid }) => vmid))

        await page.getByRole('button', { name: 'Reset', exact: true }).click()
        for (const [group, choice] of [
          ['Type', 'All'],
          ['Status', 'All'],
          ['Layout', 'Grouped'],
        ] as const) {
          expect(await view.toggle(group, choice).isChecked()).toBe(true)
        }
        expect(await view.head('VMID').getAttribute('aria-sort')).toBe('ascending')
        await expectVmids(view).toHaveLength(all().length)
        expect((await view.lines())[0]).toBe('pve1')
      })

      test('[spec 1 §2] Escape resets; with nothing to reset it hides and shows the filters', async () => {
        const { page, view } = await openWithFilters(given)
        await view.toggle('Status', 'Stopped').click()
        await view.search.fill('e')
        await page.keyboard.press('Escape')
        expect(await view.search.inputValue()).toBe('')
        expect(await view.toggle('Status', 'All').isChecked()).toBe(true)
        await expectVmids(view).toHaveLength(all().length)
        await page.keyboard.press('Escape')
        await view.search.waitFor({ state: 'detached' })
        await page.keyboard.press('Escape')
        await view.search.waitFor()
      })
    })

    describe('a node', () => {
      test('[spec 1 §2] selecting one filters and dims the others; again or Escape clears it', async () => {
        const { page } = await given.open(tall)
        const view = overview(page)
        await view.ready()
        const dimmed = async (name: string) =>
          (await view.node(name).locator('[data-dimmed]').getAttribute('data-dimmed')) === 'true'
        const select = () => view.node('pve2').getByRole('gridcell').nth(1).click()
        const onPve2 = numbers(({ node }) => node === 'pve2')

        await select()
        await view.search.waitFor()
        await expectVmids(view).toEqual(onPve2)
        expect(await view.node('pve2').getAttribute('aria-selected')).toBe('true')
        expect([await dimmed('pve1'), await dimmed('pve2'), await dimmed('pve3')]).toEqual([
          true,
          false,
          true,
        ])
        await select()
        await expectVmids(view).toHaveLength(all().length)
        await select()
        await expectVmids(view).toEqual(onPve2)
        await page.keyboard.press('Escape')
        await expectVmids(view).toHaveLength(all().length)
        expect(await view.node('pve2').getAttribute('aria-selected')).toBe('false')
        expect(await dimmed('pve1')).toBe(false)
      })
    })
  },
  { prepare: ({ lab }) => pinLoad(lab) },
)

/** Sets a low load for all guests but three. */
function pinLoad(lab: Given['estate']['lab']) {
  const busy: Record<number, number> = { 100: 0.85, 101: 0.95, 102: 0.95 }
  for (const { vmid } of lab.control.guests()) lab.control.patchGuest(vmid, { cpu: busy[vmid] ?? 0.1 })
}
