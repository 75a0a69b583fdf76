import type { PastState } from '@pulse/contract'
import { expect, test } from 'vitest'
import { within } from '../scripts/test-limits.ts'
import type { Estate } from './estate.ts'
import { examine } from './examine.ts'
import { journeys } from './journey.ts'
import { overview } from './overview.ts'
import { expectNoSideways, screens } from './screens.ts'

const vmid = 101

journeys(
  'time machine',
  (given) => {
    /** The same for all journeys: the first one stops the guest. */
    let found: Promise<number> | undefined
    const runningAt = () => (found ??= findRunning(given.estate))

    test('[M 3.4] a guest that was stopped since runs in the past, nothing can be changed there, and Back to now returns', async () => {
      const { estate } = given
      const at = await runningAt()
      await estate.call('POST', '/api/alerts/activate')
      estate.lab.control.patchGuest(vmid, { status: 'stopped' })
      const { page } = await given.open()
      const view = overview(page)
      const isDimmed = () => view.guest(vmid).locator('[data-dimmed]').first().getAttribute('data-dimmed')
      await expect.poll(isDimmed, { timeout: within(60_000) }).toBe('true')

      await page.goto(`${estate.url}/proxmox/overview?at=${at}`)
      const mark = page.getByRole('region', { name: 'The page shows the past' })
      await mark.getByText(/ today$| yesterday$/).waitFor()
      await expect.poll(isDimmed).toBe('false')

      // the moment survives navigation and reload, and no page of it writes
      const writes: string[] = []
      page.on('request', (request) => void (request.method() !== 'GET' && writes.push(request.url())))
      await page.getByRole('link', { name: /^Alerts/ }).click()
      await page.getByRole('heading', { name: 'Alerts Overview' }).waitFor()
      expect(new URL(page.url()).searchParams.get('at')).toBe(String(at))
      await page.reload()
      await mark.waitFor()
      expect(await page.getByRole('switch', { name: 'Alerts enabled' }).isDisabled()).toBe(true)
      expect(await page.getByRole('button', { name: 'Snooze alerts' }).isDisabled()).toBe(true)
      expect(writes).toEqual([])

      await page.getByRole('link', { name: 'Proxmox', exact: true }).click()
      await expect.poll(isDimmed).toBe('false')
      await mark.getByRole('button', { name: 'Back to now' }).click()
      await expect.poll(isDimmed).toBe('true')
      expect(new URL(page.url()).searchParams.get('at')).toBe(null)
    })

    test('[M 3.4] the keyboard moves through the history, and the settings show now', async () => {
      await runningAt()
      const { page } = await given.open()
      await overview(page).ready()
      await page.getByRole('button', { name: 'Time machine' }).click()
      const bar = page.getByRole('slider', { name: 'Moment' })
      await expect.poll(() => bar.evaluate((element) => element === document.activeElement)).toBe(true)
      await page.keyboard.press('Home')
      const mark = page.getByRole('region', { name: 'The page shows the past' })
      await mark.waitFor()
      expect(new URL(page.url()).searchParams.get('at')).toBe(await bar.getAttribute('aria-valuemin'))
      await page.getByRole('link', { name: 'Settings' }).first().click()
      await expect.poll(() => mark.count()).toBe(0)
      expect(new URL(page.url()).searchParams.get('at')).toBe(null)
      expect(await page.getByRole('button', { name: 'Time machine' }).isDisabled()).toBe(true)
    })

    test.each(screens)(
      '[M 3.4] the past at $title has no accessibility problems and no sideways scroll',
      async (screen) => {
        const at = await runningAt()
        const { page } = await given.open({ ...screen, path: `/proxmox/overview?at=${at}` })
        await overview(page).ready()
        await page.getByRole('button', { name: 'Time machine' }).click()
        await page.getByRole('slider', { name: 'Moment' }).waitFor()
        await expectNoSideways(page)
        await examine(page, `time-machine-${screen.title}`)
      },
    )
  },
  { lab: { guests: 20 } },
)

/** A moment at which the guest runs, by the history. */
async function findRunning({ call }: Estate): Promise<number> {
  let found = 0
  await expect
    .poll(
      async () => {
        const { at, frame } = (await call('GET', `/api/history/state?at=${Date.now()}`).catch(() => ({
          frame: undefined,
        }))) as Partial<PastState>
        const guests = frame?.state['guests'] ?? []
        const runs = guests.some((guest) => guest['vmid'] === vmid && guest['status'] === 'running')
        if (runs) found = at!
        return runs
      },
      { timeout: within(60_000) },
    )
    .toBe(true)
  return found
}
