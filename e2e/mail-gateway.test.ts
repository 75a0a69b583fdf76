import type { Lab } from '@pulse/lab'
import https from 'node:https'
import type { Page } from 'playwright-core'
import { beforeEach, describe, expect, test } from 'vitest'
import { examine } from './examine.ts'
import { journeys, type Given } from './journey.ts'
import { overview } from './overview.ts'
import { expectNoSideways, screens } from './screens.ts'
import { within } from '../scripts/test-limits.ts'

/** Two rounds of the collector, on a busy machine. */
const roundsMs = 60_000
const path = '/proxmox/mail'
const frozen = Date.now()

type Gateway = Lab['pmg'][number]

interface Hour {
  count: number | string
  count_in: number | string
  count_out: number | string
  spamcount_in: number | string
  viruscount_in: number | string
  bounces_in: number | string
  bounces_out: number | string
  rbl_rejects?: number | string
  pregreet_rejects?: number | string
}

interface Day {
  count_in: number
  spamcount_in: number
  glcount: number
  junk_in: number
}

/** Signs in at the lab's gateway and returns its answer. */
async function ask<T>({ url, credentials }: Gateway, where: string): Promise<T> {
  const { user: username, password } = credentials.auditor
  const call = (method: string, apiPath: string, headers: object, body = '') =>
    new Promise<string>((resolve, reject) => {
      const request = https.request(
        `${url}/api2/json${apiPath}`,
        { method, headers: { ...headers }, rejectUnauthorized: false, agent: false },
        (answer) => {
          let text = ''
          answer.setEncoding('utf8').on('data', (part: string) => (text += part))
          answer.on('end', () => resolve(text))
        },
      )
      request.on('error', reject)
      request.end(body)
    })
  const form = new URLSearchParams({ username, password }).toString()
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  const signedIn = JSON.parse(await call('POST', '/access/ticket', type, form)) as {
    data: { ticket: string }
  }
  const cookie = `PMGAuthCookie=${encodeURIComponent(signedIn.data.ticket)}`
  return (JSON.parse(await call('GET', where, { cookie })) as { data: T }).data
}

const text = (value: number) => value.toLocaleString('en')
const share = (part: number, whole: number) => `${((part / whole) * 100).toFixed(1)}%`
const perHour = (count: number) => {
  const rate = count / 24
  return rate > 0 && rate < 0.5 ? '<1/hr' : `${text(Math.round(rate))}/hr`
}

const card = (page: Page, name: string) => page.getByRole('article', { name, exact: true })
const panel = (page: Page, name: string, title: string) =>
  card(page, name).getByRole('group', { name: title, exact: true })
const figures = async (page: Page, name: string, title: string) =>
  (await panel(page, name, title).locator('dl > div').allInnerTexts()).map((line) =>
    line.replaceAll(/\s+/g, ' ').trim(),
  )
const nodeRow = (page: Page, name: string, node: string) =>
  card(page, name)
    .getByRole('table', { name: 'Cluster Nodes' })
    .getByRole('row', { name: new RegExp(`^${node}`) })

const ready = (page: Page, name = 'pmg1') =>
  panel(page, name, 'Mail Flow (24h)')
    .locator('dl')
    .waitFor({ timeout: within(roundsMs) })

function mailGateways(given: Given): void {
  beforeEach(() => {
    given.estate.lab.control.clearFaults()
  })

  test('[spec 1 §2] its tab is there because there are gateways, and leads to them', async () => {
    const { page } = await given.open()
    await overview(page).ready()
    await page.getByRole('link', { name: 'Mail Gateway', exact: true }).click()
    await ready(page)
    expect(new URL(page.url()).pathname).toBe(path)
    const tab = page.getByRole('link', { name: 'Mail Gateway', exact: true })
    expect(await tab.getAttribute('aria-current')).toBe('page')
    expect(await page.getByRole('article').count()).toBe(2)
  })

  describe('[spec 1 §2] every figure is what the gateway answered', () => {
    test('mail flow, delivery and traffic', async () => {
      const [gateway] = given.estate.lab.pmg
      const { page } = await given.open({ path })
      await ready(page)
      const hours = (await ask<Hour[]>(gateway!, '/statistics/mailcount')).slice(-24)
      const sum = (read: (hour: Hour) => number | string | undefined) =>
        hours.reduce((all, hour) => all + Number(read(hour) ?? 0), 0)
      const [all, inbound, outbound] = [sum((h) => h.count), sum((h) => h.count_in), sum((h) => h.count_out)]
      const virus = sum((h) => h.viruscount_in)
      const today = await ask<Day>(gateway!, `/statistics/mail?starttime=${Math.floor(frozen / 1000)}`)
      const yesterday = await ask<Day>(gateway!, '/statistics/mail')
      const part = Math.min(1, Math.max(0, (inbound - today.count_in) / Math.max(1, yesterday.count_in)))
      const day = (read: (one: Day) => number) => Math.round(read(today) + part * read(yesterday))
      const spam = day((one) => one.spamcount_in)
      // Hourly figures would count everything that the gateway rejected.
      expect(spam).toBeLessThan(sum((h) => h.spamcount_in))
      const line = (label: string, count: number, whole: number, of: string) =>
        `${label} ${text(count)} ${perHour(count)} ${share(count, whole)} of ${of}`
      expect(await figures(page, 'pmg1', 'Mail Flow (24h)')).toEqual([
        line('Total processed', all, all, 'all mail'),
        line('Inbound', inbound, all, 'all mail'),
        line('Outbound', outbound, all, 'all mail'),
        line('Spam caught', spam, inbound, 'inbound mail'),
        line('Viruses blocked', virus, inbound, 'inbound mail'),
      ])
      const delivery = await figures(page, 'pmg1', 'Delivery Health')
      expect(delivery.slice(0, 6)).toEqual([
        `Inbound bounces ${text(sum((h) => h.bounces_in))}`,
        `Outbound bounces ${text(sum((h) => h.bounces_out))}`,
        `RBL rejects ${text(sum((h) => h.rbl_rejects))}`,
        `Pregreet rejects ${text(sum((h) => h.pregreet_rejects))}`,
        `Greylisted ${text(day((one) => one.glcount))}`,
        `Junk mail ${text(day((one) => one.junk_in))}`,
      ])
      expect(delivery[6]).toMatch(/^Average process time ≈ [\d,]+ messages\/min [\d.]+ s$/)
      const recent = await ask<{ bytes_in: number }[]>(gateway!, '/statistics/recent?hours=24&timespan=1800')
      const MB = recent.reduce((bytes, one) => bytes + Number(one.bytes_in), 0) / 1024 ** 2
      const [volume] = await figures(page, 'pmg1', 'Traffic Volume')
      expect(Number(/^Inbound ([\d.,]+) MB/.exec(volume!)![1]!.replaceAll(',', ''))).toBeCloseTo(
        MB,
        MB < 100 ? 0 : -1,
      )
    })

    test('quarantine, spam scores and nodes', async () => {
      const [gateway] = given.estate.lab.pmg
      const { page } = await given.open({ path })
      await ready(page)
      const count = async (what: string) =>
        Number((await ask<{ count: number }>(gateway!, `/quarantine/${what}status`)).count)
      const attachments = (await ask<unknown[]>(gateway!, '/quarantine/attachment')).length
      const [spam, virus] = [await count('spam'), await count('virus')]
      await expect
        .poll(() => figures(page, 'pmg1', 'Threat & Quarantine'))
        .toEqual([
          `Spam ${text(spam)}`,
          `Virus ${text(virus)}`,
          `Attachments blocked ${text(attachments)}`,
          'Blacklisted —',
          `Total quarantined ${text(spam + virus + attachments)}`,
        ])
      const scores = await figures(page, 'pmg1', 'Spam Score Distribution')
      expect(scores[0]).not.toContain(' 0 0')
      expect(scores).toHaveLength(11)
      expect(scores[0]).toMatch(/^Score 0 [\d,]+ \d+\.\d%$/)
      expect(scores[10]).toMatch(/^Score 10\+ [\d,]+ \d+\.\d%$/)
      const members = await ask<{ name: string; type: string; loadavg: string[] }[]>(
        gateway!,
        '/config/cluster/status?list_single_node=1',
      )
      for (const { name, type, loadavg } of members) {
        const cells = await nodeRow(page, 'pmg1', name).getByRole('cell').allInnerTexts()
        expect(cells.slice(0, 3)).toEqual([name, type === 'master' ? 'Master' : 'Node', 'Online'])
        expect(cells[4]).toBe(loadavg.join(' '))
      }
    })
  })

  test.each(screens)('$title: nothing is cut off, and axe finds nothing', async ({ title, ...screen }) => {
    const { page } = await given.open({ path, ...screen })
    await ready(page)
    await expectNoSideways(page)
    await examine(page, `${title}-mail`)
  })

  test('[spec 1 §9] a queue that grows is amber, and so is the age of its oldest mail', async () => {
    const { lab } = given.estate
    const { page } = await given.open({ path })
    await ready(page)
    await lab.control.patchAppliance('pmg1', {
      queues: { deferred: { total: 73, perMinute: 0, oldestMinutes: 200 } },
    })
    const depth = nodeRow(page, 'pmg1', 'pmg1').getByRole('cell').nth(5)
    await expect.poll(() => depth.innerText(), { timeout: within(roundsMs) }).toMatch(/73 deferred/)
    const oldest = nodeRow(page, 'pmg1', 'pmg1').getByRole('cell').nth(6)
    // of the age group up to 320 minutes
    expect(await oldest.innerText()).toMatch(/^\d+h \d+m$/)
    expect([
      await depth.locator('.text-yellow').count(),
      await oldest.locator('.text-yellow').count(),
    ]).toEqual([1, 1])
    await lab.control.patchAppliance('pmg1', { queues: { deferred: null } })
  })

  test('a member that is down is shown with the reason; the others go on', async () => {
    const { lab } = given.estate
    const { page } = await given.open({ path })
    await ready(page)
    await card(page, 'pmg1').getByText('In a cluster with pmg2').waitFor()
    const heads = () =>
      card(page, 'pmg1')
        .getByRole('columnheader')
        .evaluateAll((all) => all.map((head) => head.getBoundingClientRect().left))
    const before = await heads()
    await lab.control.patchAppliance('pmg2', { online: false })
    const row = nodeRow(page, 'pmg1', 'pmg2')
    await row.getByText('Offline', { exact: true }).waitFor({ timeout: within(roundsMs) })
    await card(page, 'pmg1')
      .getByText(/^node pmg2/)
      .waitFor()
    await page.getByText(/^pmg2 does not answer/).waitFor({ timeout: within(roundsMs) })
    await card(page, 'pmg2').getByText('Not answering').waitFor()
    expect(await figures(page, 'pmg2', 'Mail Flow (24h)')).toHaveLength(5)
    expect(await heads()).toEqual(before)
    await examine(page, 'light-1440-mail-member-down')
    await lab.control.patchAppliance('pmg2', { online: true })
    await row.getByText('Online', { exact: true }).waitFor({ timeout: within(2 * roundsMs) })
  })

  test('a right that is missing is named where its figures would be', async () => {
    const { lab } = given.estate
    const { page } = await given.open({ path })
    await ready(page)
    lab.control.addFault({ kind: 'status', status: 403, node: 'pmg1', path: '/quarantine/*' })
    await card(page, 'pmg1')
      .getByText('Missing right: Auditor')
      .waitFor({ timeout: within(roundsMs) })
    await panel(page, 'pmg1', 'Threat & Quarantine')
      .getByText(/^Stale/)
      .waitFor()
    expect(
      await panel(page, 'pmg1', 'Mail Flow (24h)')
        .getByText(/^Stale/)
        .count(),
    ).toBe(0)
    await examine(page, 'light-1440-mail-right-missing')
  })
}

journeys('mail gateways', mailGateways, {
  lab: { nodes: 1, guests: 4, pmg: 2, pmgCluster: true, now: () => frozen },
  prepare: async ({ call }) => {
    await call('POST', '/api/system/settings/update', { pmgPollingInterval: 10 })
  },
})

journeys(
  'without a mail gateway',
  (given) => {
    test('[spec 1 §2] there is no tab, and the page says what to add', async () => {
      const { page } = await given.open({ path })
      await page.getByRole('heading', { name: 'No Mail Gateways configured' }).waitFor()
      await examine(page, 'light-1440-mail-none')
      await page.getByRole('link', { name: 'Go to Settings' }).click()
      await page.getByRole('heading', { name: 'Proxmox Mail Gateway' }).first().waitFor()
      await page.getByRole('link', { name: 'Proxmox', exact: true }).first().click()
      await overview(page).ready()
      expect(await page.getByRole('link', { name: 'Mail Gateway', exact: true }).count()).toBe(0)
    })
  },
  { lab: { nodes: 1, guests: 4 } },
)
