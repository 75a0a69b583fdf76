import { expect, test } from 'vitest'
import { within } from '../scripts/test-limits.ts'
import type { Visit } from './browser.ts'
import { journeys } from './journey.ts'
import { overview } from './overview.ts'
import { screens } from './screens.ts'

journeys('the head of every page', (given) => {
  test('no tab moves when something cannot be reached any more', async () => {
    const { lab } = given.estate
    const visits: Visit[] = []
    for (const screen of screens) visits.push(await given.open(screen))
    const positions = () =>
      Promise.all(
        visits.map(({ page }) =>
          page
            .getByRole('navigation', { name: 'Main' })
            .getByRole('link', { name: /^(Proxmox|Docker|Alerts|Settings)/ })
            .evaluateAll((tabs) => tabs.map((tab) => [tab.textContent, tab.getBoundingClientRect().x])),
        ),
      )
    for (const { page } of visits) await overview(page).ready()
    const before = await positions()
    await lab.control.patchNode('pve1', { online: false })
    for (const { page } of visits) {
      await page.getByRole('link', { name: /unreachable/ }).waitFor({ timeout: within(30_000) })
    }
    expect(await positions()).toEqual(before)
  })
})
