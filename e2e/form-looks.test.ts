import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { journeys } from './journey.ts'
import { settingsPage } from './settings/settings-page.ts'

const MOST = 720

/** Panels with input fields, by title, without tables: a table is as wide as its columns need. */
const forms = async (page: Page) => {
  const found = await page
    .getByRole('main')
    .getByRole('region')
    .filter({
      visible: true,
      has: page.locator('input:not([type=search], [aria-hidden=true]), textarea, [role=switch]'),
    })
    .filter({ hasNot: page.locator('table, [role=grid], [role=treegrid]') })
    .evaluateAll((all) =>
      all.map((one) => ({
        title: one.querySelector('h2')?.textContent ?? '',
        width: Math.round(one.getBoundingClientRect().width),
      })),
    )
  return new Map(found.map(({ title, width }) => [title, width]))
}

journeys('forms of the settings', (given) => {
  test.each([
    { path: '/settings/pve', panels: ['Discovered servers', 'Temperature helper'] },
    { path: '/settings/pbs', panels: ['Discovered servers'] },
    { path: '/settings/pmg', panels: ['Discovered servers'] },
    { path: '/settings/docker', panels: ['Add a Docker host'] },
    { path: '/settings/system', panels: ['Network discovery', 'Appearance', 'Version and updates'] },
    { path: '/settings/security#single-sign-on', panels: ['Single sign-on'] },
    { path: '/settings/security', panels: [] },
    { path: '/settings/security#tokens', panels: [] },
    { path: '/settings/security#users', panels: [] },
    { path: '/settings/security#audit', panels: [] },
    { path: '/settings/urls', panels: [] },
    { path: '/settings/diagnostics', panels: [] },
    { path: '/settings/updates', panels: [] },
  ])('are at most 720 px wide, however wide the screen is ($path)', async ({ path, panels }) => {
    const { page } = await given.open({ path, width: 1920, height: 1_000 })
    await Promise.all(panels.map((title) => settingsPage(page).panel(title).waitFor()))
    await settingsPage(page).ready()
    const found = await forms(page)
    expect([...found.keys()]).toEqual(expect.arrayContaining(panels))
    expect([...found].filter(([, width]) => width > MOST)).toEqual([])
  })

  test('the actions of a host stay visible while its table scrolls sideways', async () => {
    await given.estate.call('POST', '/api/agents/docker/report', {
      agent: { id: 'dock1', version: '5.1.0', intervalSeconds: 30 },
      host: { hostname: 'dock1', name: 'dock1', os: 'Debian GNU/Linux 12 (bookworm)', totalCpu: 4 },
      containers: [],
      timestamp: new Date().toISOString(),
    })
    const { page } = await given.open({ path: '/settings/docker', width: 820 })
    const remove = page.getByRole('button', { name: /^Remove/ }).first()
    await remove.waitFor()
    const { right, onTop } = await remove.evaluate((one) => {
      const box = one.getBoundingClientRect()
      const found = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)
      return { right: box.right, onTop: found !== null && one.contains(found) }
    })
    expect(right).toBeLessThanOrEqual(820)
    expect(onTop).toBe(true)
  })
})
