import type { PlainState } from '@pulse/contract'
import { agentInstallCommand } from '@pulse/domain'
import { type Engine, givenContainers, startDocker } from '@pulse/testkit/engine'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { within } from '../scripts/test-limits.ts'
import { type InstalledAgent, installAgent } from './docker-engine/installed-agent.ts'
import { differences, engineFigures, shownFigures } from './docker-engine/stats.ts'
import { type Given, journeys } from './journey.ts'
import { expectText } from './overview.ts'
import { dockerPage } from './settings/docker-hosts.ts'

/** The shortest interval that an agent accepts. */
const quick = ['--interval', '1s']
/** Makes the agent report as another host. */
const secondHost = ['--agent-id', 'second', '--hostname', 'second']
/** An agent is overdue after half a minute; the server checks every ten seconds. */
const offlineMs = 60_000

const engine = await startDocker()
afterAll(() => engine?.stop())

describe.skipIf(!engine)('with a real engine', () => {
  journeys('a Docker host', (given) => aHost(given, engine!), { connected: false })
})

function aHost(given: Given, engine: Engine): void {
  let name: string
  let agent: InstalledAgent | undefined
  let second: InstalledAgent | undefined
  const hostOf = async (hostname: string) =>
    ((await given.estate.call('GET', '/api/state')) as PlainState).dockerHosts.find(
      (host) => host.hostname === hostname,
    )
  const reports = (hostname: string) =>
    vi.waitUntil(async () => (await hostOf(hostname))?.status === 'online', { timeout: within(60_000) })

  beforeAll(async () => {
    name = await engine.cli('info', '--format', '{{.Name}}')
    await Promise.all([
      givenContainers(engine, ['web', 'memlimited', 'sick', 'done', 'paused']),
      startAndKillSecondAgent(),
    ])
  })
  /** Starts early, so that the host is nearly offline when its test begins. */
  async function startAndKillSecondAgent() {
    second = await installAgent(await commandFor(given, 'second'), engine, [...quick, ...secondHost])
    await reports('second')
    second.kill()
  }
  afterAll(async () => {
    await agent?.close()
    await second?.close()
  })

  test('[spec 2 §2] is added by the command on the page, and its containers show the figures of `docker stats`', async () => {
    const { page } = await given.open({ path: '/settings/docker' })
    const settings = dockerPage(page)
    agent = await installAgent(await settings.installCommand(), engine, quick)
    await settings.row(name).getByText('online', { exact: true }).waitFor()
    await page.getByText(`${name} reports with this token.`, { exact: true }).waitFor()

    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: 'Docker', exact: true })
      .click()
    await page
      .getByRole('region', { name: 'Hosts' })
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .click()
    await page.getByText('web', { exact: true }).waitFor()
    await expectText(hostHead(page)).toContain('3 of 6 running')
    await expect
      .poll(async () => differences(await engineFigures(engine), await shownFigures(page)), {
        timeout: within(60_000),
      })
      .toEqual([])
  })

  test('[spec 1 §2] shows a killed container as exited, and drops a removed one', async () => {
    const { page } = await given.open({ path: '/docker' })
    await page
      .getByRole('region', { name: 'Hosts' })
      .getByRole('button', { name: new RegExp(`^${name}`) })
      .click()
    const row = (of: string) => page.locator('[data-row^="container:"]').filter({ hasText: of })
    await expectText(row('sick')).toContain('Running')
    await engine.cli('kill', 'sick')
    await expectText(row('sick')).toMatch(/Exited \(137\)\s+—\s+—/)
    await expectText(hostHead(page)).toContain('2 of 6 running')
    await engine.cli('rm', 'sick')
    await row('sick').waitFor({ state: 'detached' })
    await row('web').waitFor()
  })

  test('[spec 2 §2] whose agent was killed becomes offline and can be removed', async () => {
    const { page } = await given.open({ path: '/settings/docker' })
    const settings = dockerPage(page)
    await settings
      .row('second')
      .getByText('offline', { exact: true })
      .waitFor({ timeout: within(offlineMs) })
    await settings.button('Remove offline host second').click()
    await settings.removal.getByRole('button', { name: 'Remove host' }).click()
    await settings.toast('Removed Docker host second').waitFor()
    await settings.row('second').waitFor({ state: 'detached' })
    await settings.row(name).waitFor()
    expect(await hostOf('second')).toBeUndefined()
  })

  test('[spec 2 §4] stays hidden when it reports and when the server restarts', async () => {
    const before = await given.open({ path: '/settings/docker' })
    const shown = dockerPage(before.page)
    // the toast closes after five seconds; a busy browser may miss it
    const isHidden = (expected: boolean) =>
      expect
        .poll(async () => (await hostOf(name))!.hidden ?? false, { timeout: within(30_000) })
        .toBe(expected)
    await shown.button(`Hide ${name}`).click()
    await isHidden(true)
    await before.close()
    const { lastSeen } = (await hostOf(name))!
    await expect
      .poll(async () => (await hostOf(name))!.lastSeen, { timeout: within(30_000) })
      .toBeGreaterThan(lastSeen!)
    await given.estate.stopServer()
    await given.estate.startServer()
    await reports(name)

    const { page } = await given.open({ path: '/docker' })
    await page.getByRole('heading', { name: 'The only Docker host is hidden' }).waitFor()
    await page.goto(`${given.estate.url}/settings/docker`)
    const settings = dockerPage(page)
    await page.getByRole('switch', { name: 'Show hidden hosts (1)' }).click()
    await settings.button(`Unhide ${name}`).click()
    await isHidden(false)
    await page.goto(`${given.estate.url}/docker`)
    await page.getByText('web', { exact: true }).waitFor()
  })

  test('[spec 2 §2] disappears when an administrator stops its agent, and the agent stays stopped', async () => {
    const { page } = await given.open({ path: '/settings/docker' })
    const settings = dockerPage(page)
    await settings.button(`Remove ${name}`).click()
    await settings.removal.getByRole('button', { name: 'Stop agent now' }).click()
    await settings.toast(`Removed Docker host ${name}`).waitFor()
    expect(await agent!.ended).toBe(0)
    expect([agent!.host.enabled, agent!.host.active]).toEqual([new Set(), new Set()])
    await settings.removal.waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'No Docker hosts yet' }).waitFor()
    expect(agent!.log()).toContain('asks this agent to stop')
  })
}

const hostHead = (page: Page) =>
  page.getByRole('treegrid', { name: 'Containers' }).locator('[data-row^="host:"]')

async function commandFor({ estate }: Given, tokenName: string): Promise<string> {
  const body = { name: tokenName, scopes: ['docker:report'], oneHost: true }
  const { token } = (await estate.call('POST', '/api/security/tokens', body)) as { token: string }
  return agentInstallCommand({ pulseUrl: estate.url, token })
}
