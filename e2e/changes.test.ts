import { expect, test } from 'vitest'
import { within } from '../scripts/test-limits.ts'
import { examine } from './examine.ts'
import { journeys } from './journey.ts'
import type { Past } from './past.ts'
import { expectNoSideways, screens } from './screens.ts'

const vmid = 101

/** An hour of calm, and then some work on the estate. */
const past: Past = {
  activate: true,
  parts: [
    { minutesAgo: 100, minutes: 15 },
    {
      minutesAgo: 40,
      minutes: 3,
      happen(control) {
        control.patchGuest(vmid, { name: 'renamed-web', tags: 'prod;web' })
        control.migrateGuest(100, 'pve2')
        control.patchGuest(103, { cores: 12 })
      },
    },
    { minutesAgo: 30, minutes: 5, happen: (control) => control.patchGuest(104, { status: 'stopped' }) },
  ],
}

journeys(
  'what changed',
  (given) => {
    test('[M 3.5] changes are listed and filtered, a reload shows the same, and a name leads to its page', async () => {
      const { page } = await given.open({ path: '/proxmox/changes' })
      const list = page.getByRole('region', { name: 'Changes', exact: true })
      const line = (text: string | RegExp) => list.getByRole('listitem').filter({ hasText: text })
      await line(/Renamed from .* to renamed-web/).waitFor()
      await line('Tags changed: added').waitFor()
      await line(/Moved from pve\d to pve2/).waitFor()
      await line(/CPUs changed from \d+ to 12/).waitFor()
      expect(await line('Restarted').count()).toBe(0)

      await page.getByRole('combobox', { name: 'Change', exact: true }).click()
      await page.getByRole('option', { name: /^Renamed \(1\)/ }).click()
      await expect.poll(() => list.getByRole('listitem').count()).toBe(1)
      expect(new URL(page.url()).searchParams.get('what')).toBe('renamed')
      await page.reload()
      await line('Renamed').waitFor()
      expect(await list.getByRole('listitem').count()).toBe(1)
      expect(await list.getByRole('link', { name: 'renamed-web' }).getAttribute('href')).toMatch(
        /^\/proxmox\/guest\//,
      )
    })

    test('[M 3.5] an alert leads to the changes before it, with its start among them', async () => {
      const { page } = await given.open({ path: '/alerts/overview' })
      await page
        .getByRole('link', { name: /^What changed before: / })
        .first()
        .click()
      const list = page.getByRole('region', { name: 'Changes', exact: true })
      await list.getByText('Alert started').waitFor()
      expect(await page.getByRole('radio', { name: 'Custom' }).getAttribute('aria-checked')).toBe('true')
    })

    test.each(screens)(
      '[M 3.5] the changes at $title have no accessibility problems and no sideways scroll',
      async (screen) => {
        const { page } = await given.open({ ...screen, path: '/proxmox/changes' })
        await page.getByText(/^Renamed from /).waitFor({ timeout: within(30_000) })
        await expectNoSideways(page)
        await examine(page, `changes-${screen.title}`)
      },
    )
  },
  { lab: { guests: 20 }, past },
)
