import type { DockerReport, DockerReportReply } from '@pulse/contract'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { Given } from '../journey.ts'
import { within } from '../../scripts/test-limits.ts'
import { settingsPage } from './settings-page.ts'

/** A host with a fake agent that uses the token of an install command. */
function agentOf(command: string, hostname: string, version = '1.0.0') {
  const [, token, url] = /PULSE_TOKEN=(\S+) sh -s -- --url '([^']+)' /.exec(command)!
  const send = async (path: string, body: unknown): Promise<unknown> => {
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-token': token! },
      body: JSON.stringify(body),
    })
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
    return answer.json()
  }
  const report: DockerReport = {
    agent: { id: `id-of-${hostname}`, version, intervalSeconds: 30 },
    host: { hostname, os: 'Debian GNU/Linux 12', architecture: 'x86_64', dockerVersion: `26.${version}` },
    containers: [
      { id: 'a'.repeat(64), name: 'web', image: 'nginx', state: 'running', status: 'Up 2 hours' },
      { id: 'b'.repeat(64), name: 'job', image: 'busybox', state: 'exited', status: 'Exited (0)' },
    ],
  }
  return {
    report: async () => (await send('/api/agents/docker/report', report)) as DockerReportReply,
    acknowledge: (id: string, status: 'acknowledged' | 'completed') =>
      send(`/api/agents/docker/commands/${id}/ack`, { hostId: report.agent.id, status }),
  }
}

export function dockerPage(page: Page) {
  const settings = settingsPage(page)
  const panel = settings.panel('Add a Docker host')
  const table = page.getByRole('table', { name: 'Docker hosts' })
  return {
    ...settings,
    table,
    row: (name: string) =>
      table.getByRole('row').filter({ has: page.getByText(name, { exact: true }).first() }),
    button: (name: string) => page.getByRole('button', { name, exact: true }),
    removal: settings.dialog('Remove Docker host'),
    /** The command that the page shows for a new host. */
    async installCommand(): Promise<string> {
      await panel.getByRole('button', { name: /^Generate/ }).click()
      const shown = settings.dialog('API token')
      await shown.getByRole('button', { name: 'Close', exact: true }).last().click()
      return panel.getByLabel('Install command', { exact: true }).inputValue()
    },
  }
}

export function dockerHosts(given: Given): void {
  describe('Docker hosts', () => {
    test('[spec 2 §2] are added by the command on the page, stopped, and removed when their agent confirms', async () => {
      const { page } = await given.open({ path: '/settings/docker' })
      const docker = dockerPage(page)
      await page.getByRole('heading', { name: 'No Docker hosts yet' }).waitFor()
      const agent = agentOf(await docker.installCommand(), 'dock1')
      await agent.report()
      await docker.row('dock1').getByText('online', { exact: true }).waitFor()
      await docker.row('dock1').getByText('2 (1 running)', { exact: true }).waitFor()
      await page.getByText('dock1 reports with this token.', { exact: true }).waitFor()

      await docker.button('Remove dock1').click()
      await docker.removal.getByRole('button', { name: 'Stop agent now' }).click()
      await docker.toast('Stop command sent to dock1').waitFor()
      const { commands } = await agent.report()
      const step = docker.removal.locator('[aria-current=step]')
      const expectStep = () => expect.poll(() => step.textContent(), { timeout: within(30_000) })
      await expectStep().toBe('Confirmed by the agent, which is stopping: under way')
      await agent.acknowledge(commands![0]!.id, 'acknowledged')
      await expectStep().toBe('Agent stopped, cleaning up: under way')
      await agent.acknowledge(commands![0]!.id, 'completed')
      await docker.toast('Removed Docker host dock1').waitFor()
      await docker.removal.waitFor({ state: 'detached' })
      await page.getByRole('heading', { name: 'No Docker hosts yet' }).waitFor()

      await expect(agent.report()).rejects.toThrow('was removed from Pulse')
      await docker.button('Allow dock1 again').click()
      await docker.toast('dock1 may report again').waitFor()
      await agent.report()
      await docker.row('dock1').waitFor()
    })

    test('[S14] keep their actions visible, however long the texts of their agents are', async () => {
      const { page } = await given.open({ path: '/settings/docker' })
      const docker = dockerPage(page)
      const agent = agentOf(await docker.installCommand(), 'dock3', 'x'.repeat(64))
      await agent.report()
      await docker.row('dock3').waitFor()
      const beyond = await docker.table.evaluate(
        ({ parentElement }) => parentElement!.scrollWidth - parentElement!.clientWidth,
      )
      expect(beyond).toBe(0)
      expect(await docker.button('Remove dock3').isVisible()).toBe(true)
    })

    test('[spec 2 §4] stay hidden when they report and after a restart, until they are shown again', async () => {
      const before = await given.open({ path: '/settings/docker' })
      const shown = dockerPage(before.page)
      const agent = agentOf(await shown.installCommand(), 'dock2')
      await agent.report()
      await shown.button('Hide dock2').click()
      await shown.toast('Hidden Docker host dock2').waitFor()
      await shown.row('dock2').waitFor({ state: 'detached' })
      await before.close()
      await agent.report()
      await given.estate.stopServer()
      await given.estate.startServer()
      await agent.report()

      const { page } = await given.open({ path: '/settings/docker' })
      const docker = dockerPage(page)
      const toggle = page.getByRole('switch', { name: 'Show hidden hosts (1)' })
      await toggle.waitFor()
      expect(await docker.row('dock2').count()).toBe(0)
      await toggle.click()
      await docker.button('Unhide dock2').click()
      await docker.toast('Unhidden Docker host dock2').waitFor()
      await toggle.waitFor({ state: 'detached' })
      await docker.row('dock2').waitFor()
    })
  })
}
