import { expect, test } from 'vitest'
import { journeys } from './journey.ts'

/** Values that an attacker writes, or a mail program that truncates links. */
const values = ['__proto__', '%00%1b%0a%E2%80%AE', '%E0%A4%A', 'x'.repeat(500)]
const pages = [
  ['/proxmox/overview', ['search', 'sort', 'order', 'open', 'type', 'status', 'grouping', 'node']],
  ['/proxmox/storage', ['search', 'tab', 'disk', 'diskSort', 'diskOrder', 'sort', 'order', 'node', 'view']],
  ['/proxmox/backups', ['search', 'tab', 'sort', 'order', 'guest', 'guestSort', 'nodeSort', 'type']],
  ['/docker', ['search', 'sort', 'order', 'open', 'host', 'status', 'grouping']],
  ['/alerts/overview', ['search', 'level', 'kind', 'node', 'grouping']],
  ['/alerts/history', ['search', 'period', 'level', 'severity', 'day']],
  ['/alerts/thresholds/proxmox', ['search', 'resource', 'only']],
  ['/settings/urls', ['search', 'tab']],
] as const

journeys(
  'an address with unexpected values',
  (given) => {
    test.each(pages)('%s renders without an error', async (path, names) => {
      const { page } = await given.open({ path })
      // shifted by one in the second load, so that each value is combined with several names
      for (const shift of [0, 1]) {
        const query = names.map((name, at) => `${name}=${values[(at + shift) % values.length]}`).join('&')
        await page.goto(new URL(`${path}?${query}`, given.estate.url).href)
        await page.getByRole('main').waitFor()
        await expect.poll(() => page.getByRole('main').innerText(), { message: query }).not.toBe('')
        expect(await page.getByText(/something went wrong|could not be drawn/i).count(), query).toBe(0)
      }
    })

    test('a very long search term does not make an address that the server refuses', async () => {
      const { page } = await given.open({ path: '/alerts/history' })
      const box = page.getByRole('textbox', { name: 'Search alerts' })
      await box.fill('ä%'.repeat(10_000))
      await page.waitForURL(/search=/)
      const answer = await page.reload()
      expect(answer?.status()).toBe(200)
      await box.waitFor()
    })
  },
  { everySwitch: true, prepare: ({ call }) => call('POST', '/api/alerts/activate') as Promise<void> },
)
