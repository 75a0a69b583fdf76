import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { reportTexts } from './hostile-texts/agents.ts'
import { expectHarmless } from './hostile-texts/harmless.ts'
import { payloads } from './hostile-texts/payloads.ts'
import { journeys } from './journey.ts'
import { overview, shownGuests } from './overview.ts'
import { securityPage, securityPath } from './security-page.ts'
import { sections } from './settings/sections.ts'
import { settingsPage } from './settings/settings-page.ts'
import { within } from '../scripts/test-limits.ts'

const scale = Number(process.env['PULSE_TEST_SCALE'] ?? 1)
/** 36, and 200 in the long run */
const hostile = payloads(scale >= 10 ? 200 : 36)
/** At most as many as the rate limit allows per minute. */
const people = hostile.slice(0, 2)
const tokens = hostile.slice(2, 5)
const connections = hostile.slice(5, 13)
const [stopped = '', doubled = '', clone = '', failure = ''] = hostile.slice(13, 17)
const tall = { height: 40 * (hostile.length + 60) }

/** Texts that a guest agent and a container report about themselves. */
const fromInside = [
  'name',
  'mountpoint',
  'type',
  'pretty-name',
  'version',
  'version-id',
  'id',
  'kernel-release',
  'hostname',
  'hwaddr',
  'hardware-address',
]

journeys(
  'texts of others',
  (given) => {
    const harmless = (page: Page) => expectHarmless(page, given.estate.url)
    const hasShown = async (page: Page, texts: readonly string[]) => {
      const shown = await page.evaluate(() => document.body.textContent)
      expect(texts.filter((text) => !shown.includes(text))).toEqual([])
    }

    test(`[S14] of guests, ${hostile.length} of them, stay text on the Overview, in its details and its tooltips`, async () => {
      const { page } = await given.open({ ...tall, stored: { dashboardGroupingMode: 'flat' } })
      const view = overview(page)
      await view.ready()
      await expect
        .poll(async () => missing(page, hostile), { timeout: within(30_000), interval: 200 })
        .toEqual([])
      await harmless(page)

      await page.evaluate((count) => {
        const closed = document.querySelectorAll<HTMLElement>(
          '[aria-label^="Details of"][aria-expanded=false]',
        )
        for (const button of [...closed].slice(0, count)) button.click()
      }, 12)
      await page
        .getByText('Network Interfaces')
        .first()
        .waitFor({ timeout: within(60_000) })
      const details = (await page.locator('[data-row^="details:"]').allTextContents()).join('\n')
      // the server checks addresses and sizes when it receives them; many other texts remain
      expect(hostile.filter((text) => details.includes(text)).length).toBeGreaterThan(5)
      await harmless(page)

      const marks = page.locator('[data-cut] [data-substitute]')
      for (const n of [0, 1, 2]) {
        // a row that is re-rendered below the pointer opens no tooltip until the pointer moves
        await expect
          .poll(async () => {
            await page.mouse.move(0, 0)
            await marks.nth(n).hover()
            const shown = page
              .getByRole('tooltip')
              .getByText('Tags: ')
              .waitFor({ timeout: within(2_000) })
            return shown.then(
              () => true,
              () => false,
            )
          })
          .toBe(true)
        await harmless(page)
      }

      await view.showFilters()
      for (const text of hostile.slice(0, 36)) await view.search.fill(text)
      await view.search.press('Enter')
      await harmless(page)
    })

    test('[S14] of people, tokens, connections and records stay text in every section of the settings', async () => {
      const { page } = await given.open({ path: securityPath, ...tall })
      const security = securityPage(page)
      await security.open('Audit log')
      await harmless(page)
      await security.open('Users')
      await hasShown(page, people)
      await security.open('API tokens')
      await hasShown(page, tokens)
      await harmless(page)
      await page.getByRole('button', { name: `Revoke ${tokens[0]!}`, exact: true }).click()
      await security.dialog('Revoke API token').getByText(tokens[0]!, { exact: true }).waitFor()
      await harmless(page)

      await page.route('**/api/discover', (route) => route.fulfill({ json: discovered() }))
      for (const { path, title } of sections) {
        await page.goto(given.estate.url + path)
        const settings = settingsPage(page)
        await settings.title(title).waitFor()
        await settings.ready()
        if (path.endsWith('pve')) {
          await page.getByText('Not everything is scanned').waitFor()
          await hasShown(page, [...connections, ...hostile])
        }
        if (path.endsWith('diagnostics')) {
          await page.getByRole('button', { name: 'Run Diagnostics', exact: true }).click()
          await page.getByText(/ connections? answers?/).waitFor({ timeout: within(60_000) })
        }
        await harmless(page)
      }
    })

    test(`[S14] of ${hostile.length} containers and their hosts stay text on the Docker page, in its details, and where hosts are managed`, async () => {
      const { page } = await given.open({
        ...tall,
        path: '/docker',
        stored: { dockerGroupingMode: 'flat' },
      })
      await expect
        .poll(async () => missing(page, [...hostile, clone]), { timeout: within(30_000), interval: 200 })
        .toEqual([])
      await harmless(page)
      const closed = page.locator('[aria-label^="Details of"][aria-expanded=false]')
      const details = page.locator('[data-row^="details:"]')
      for (let n = 1; n <= 4; n++) {
        await closed.first().click()
        await expect.poll(() => details.count(), { timeout: within(30_000) }).toBe(n)
      }
      const shown = (await details.allTextContents()).join('\n')
      // image, status, network and label of each
      expect(hostile.filter((text) => shown.split(text).length > 4).length).toBeGreaterThan(2)
      await harmless(page)
      const search = page.getByRole('textbox', { name: 'Search containers' })
      for (const text of hostile.slice(0, 36)) await search.fill(text)
      await search.press('Enter')
      await harmless(page)

      await page.goto(`${given.estate.url}/settings/docker`)
      await expect
        .poll(async () => missing(page, [stopped, doubled, clone]), { timeout: within(30_000) })
        .toEqual([])
      await harmless(page)
      await page.getByRole('button', { name: `Force remove ${stopped}`, exact: true }).click()
      const dialog = settingsPage(page).dialog('Remove Docker host')
      await dialog.getByText(failure, { exact: true }).waitFor()
      await harmless(page)
    })

    test('[S14] as links lead nowhere but to http and https', async () => {
      const { vms } = (await given.estate.call('GET', '/api/state')) as { vms: { id: string }[] }
      const where = `/api/guests/metadata/${encodeURIComponent(vms[0]!.id)}`
      for (const customUrl of [
        'javascript:alert(1)',
        'data:text/html,x',
        'vbscript:x',
        ' java\nscript:alert(1)',
        '//elsewhere.example/',
      ]) {
        await expect(given.estate.call('PUT', where, { customUrl }), customUrl).rejects.toThrow(' 400 ')
      }
    })
  },
  {
    lab: { guests: hostile.length + 40, pbs: 1, pmg: 1 },
    async prepare({ lab, call }) {
      const guests = shownGuests(lab)
      hostile.forEach((name, i) => {
        lab.control.patchGuest(guests[i]!.vmid, {
          name,
          tags: name,
          pool: name,
          ...(i % 5 === 0 && { lock: name }),
        })
      })
      const bend = (path: string, fields: string[], node?: string) =>
        lab.control.addFault({ kind: 'texts', path, fields, texts: hostile, ...(node && { node }) })
      bend('/nodes/*/qemu/*/agent/*', fromInside)
      bend('/nodes/*/lxc/*/interfaces', fromInside)
      bend('/nodes/*/lxc/*/config', ['hostname', 'ostype', 'description'])
      bend('/nodes/*/status', ['pveversion', 'kversion', 'model'])
      bend('/nodes/*/disks/list', ['model', 'serial', 'used', 'vendor'])
      bend('/nodes/*/storage', ['content', 'type'])
      bend('/version', ['version', 'release', 'repoid'], lab.pbs[0]!.name)
      bend('/version', ['version', 'release', 'repoid'], lab.pmg[0]!.name)
      for (const name of people) {
        await call('POST', '/api/security/users', {
          name,
          password: 'a long enough password',
          role: 'viewer',
        })
      }
      for (const name of tokens) await call('POST', '/api/security/tokens', { name })
      await reportTexts(call, hostile, { stopped, doubled, clone, failure })
      for (const [i, name] of connections.entries()) {
        const host = `https://127.0.0.1:${1 + i}`
        await call('POST', '/api/config/nodes', {
          type: 'pve',
          name,
          host,
          tokenName: 'p@pam!t',
          tokenValue: 'x',
        })
      }
    },
  },
)

/** Payloads that the page does not show. */
async function missing(page: Page, texts: readonly string[]): Promise<string[]> {
  const shown = await page.evaluate(() => document.body.textContent)
  return texts.filter((text) => !shown.includes(text))
}

/** Hostile names that servers in the network report. */
function discovered() {
  const [first, second, ...others] = hostile
  return {
    servers: others.slice(0, 9).map((text, i) => ({
      ip: `192.0.2.${i + 1}`,
      port: 8006,
      type: (['pve', 'pbs', 'pmg'] as const)[i % 3],
      version: text,
      hostname: text,
      release: text,
    })),
    errors: hostile.slice(0, 5),
    structured_errors: [],
    environment: {
      type: 'native',
      confidence: 1,
      phases: [{ name: first, subnets: [second], confidence: 1 }],
      warnings: hostile,
      metadata: {},
    },
    cached: true,
    scanning: false,
    updated: 1,
    timestamp: 1,
  }
}
