// @vitest-environment happy-dom
import type { DockerCommand, DockerHost } from '@pulse/contract'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { Answer, settled } from '../fake-settings.tsx'
import { aCommand, aDockerHost, aLiveWith, click, inDialog, renderDocker, toasts } from './fake-docker.tsx'
import DockerSection from './section.tsx'

const remove = 'DELETE /api/agents/docker/hosts/h1'
const pending = 'PUT /api/agents/docker/hosts/h1/pending-uninstall'
const done = { success: true, hostId: 'h1' }
const queued = { ...done, command: aCommand() }

/** Opens a host's dialog with the named button. */
async function open(host: Partial<DockerHost>, button: string, reply: unknown = done) {
  const view = await renderDocker(<DockerSection />, {
    live: aLiveWith([aDockerHost(host)]),
    replies: { [remove]: reply },
  })
  await click(`${button} web1`)
  return {
    ...view,
    asked: () => view.calls.filter(({ call }) => call === remove).map(({ search }) => search),
  }
}

const command = (over: Partial<DockerCommand>) => aCommand({ updatedAt: 2, ...over })
const buttons = () =>
  inDialog()
    .getAllByRole('button')
    .map((one) => one.getAttribute('aria-label') ?? one.textContent)
    .filter((name) => name !== 'Close' && name !== 'Cancel' && !name.startsWith('Copy'))
const steps = () =>
  inDialog()
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)
const isOpen = () => screen.queryByRole('dialog') !== null
const alert = () => inDialog().getByRole('alert').textContent

beforeEach(() => void toasts())
afterEach(cleanup)

describe('[spec 2 §4] a host that is online', () => {
  test('is offered to be stopped, removed by force or hidden', async () => {
    await open({}, 'Remove')
    expect(buttons()).toEqual(['Hide host', 'Force remove now', 'Stop agent now'])
  })

  test('is asked to stop; the dialog stays and shows how far that is', async () => {
    const { asked, live } = await open({}, 'Remove', queued)
    await click('Stop agent now')
    expect(asked()).toEqual([''])
    expect(toasts()).toEqual(['success: Stop command sent to web1'])
    expect(steps().slice(0, 2)).toEqual([
      'Stop command queued: done',
      'Sent to the agent with its next report: under way',
    ])
    expect(buttons()).toEqual(['Hide host', 'Force remove now'])
    act(() => live.set('dockerHosts', { 'docker-1': { command: command({ status: 'acknowledged' }) } }))
    expect(steps()[3]).toBe('Agent stopped, cleaning up: under way')
    act(() => live.set('dockerHosts', { 'docker-1': { command: command({ status: 'completed' }) } }))
    expect(steps()[4]).toBe('Host removed: under way')
    expect(buttons()).toEqual(['Hide host', 'Remove host'])
  })

  test('goes when its agent has stopped: the dialog closes and says so', async () => {
    const { live } = await open({ command: command({ status: 'acknowledged' }) }, 'Remove')
    act(() => live.remove('dockerHosts', 'docker-1'))
    await settled()
    expect(isOpen()).toBe(false)
    expect(toasts()).toEqual(['success: Removed Docker host web1'])
  })

  test('whose command was answered with 204 counts as asked', async () => {
    await open({}, 'Remove', new Answer(204))
    await click('Stop agent now')
    expect(toasts()).toEqual(['success: Stop command sent to web1'])
    expect(isOpen()).toBe(true)
  })

  test('that is gone already counts as removed', async () => {
    await open({}, 'Remove', new Answer(404, { error: 'unknown host' }))
    await click('Stop agent now')
    expect(toasts()).toEqual(['success: Removed Docker host web1'])
    expect(isOpen()).toBe(false)
  })

  test('is removed by force', async () => {
    const { asked } = await open({}, 'Remove')
    await click('Force remove now')
    expect(asked()).toEqual(['?force=true'])
    expect(toasts()).toEqual(['success: Removed Docker host web1'])
    expect(isOpen()).toBe(false)
  })

  test('is hidden', async () => {
    const { asked } = await open({}, 'Remove')
    await click('Hide host')
    expect(asked()).toEqual(['?hide=true'])
    expect(toasts()).toEqual(['success: Hidden Docker host web1'])
    expect(isOpen()).toBe(false)
  })
})

describe('[spec 2 §4] a stop that failed', () => {
  const failed = { command: command({ status: 'failed', dispatchedAt: 2, failureReason: 'no systemd here' }) }

  test('shows where and why', async () => {
    await open(failed, 'Force remove')
    expect(steps().slice(1, 3)).toEqual([
      'Sent to the agent with its next report: done',
      'Confirmed by the agent, which is stopping: failed',
    ])
    expect(alert()).toBe('The agent was not stoppedno systemd here')
  })

  test.each(['failed', 'expired'] as const)(
    'without a reason (%s) says that it was not possible',
    async (status) => {
      await open({ command: command({ status }) }, 'Force remove')
      expect(alert()).toContain('Pulse could not stop the agent automatically.')
    },
  )

  test('can be tried again', async () => {
    const again = aCommand({ id: 'c2', createdAt: 5, updatedAt: 5 })
    const { asked } = await open(failed, 'Force remove', { ...done, command: again })
    await click('Retry stop command')
    expect(asked()).toEqual([''])
    expect(toasts()).toEqual(['success: Stop command sent to web1'])
    expect(steps()[1]).toBe('Sent to the agent with its next report: under way')
    expect(inDialog().queryByRole('alert')).toBeNull()
  })

  test('leaves removing by force', async () => {
    const { asked } = await open(failed, 'Force remove')
    await click('Force remove now')
    expect(asked()).toEqual(['?force=true'])
  })
})

describe('[spec 2 §4] a host that is offline', () => {
  test('is removed now', async () => {
    const { asked } = await open({ status: 'offline' }, 'Remove offline host')
    expect(buttons()).toEqual(['Hide host', 'Remove host'])
    await click('Remove host')
    expect(asked()).toEqual([''])
    expect(toasts()).toEqual(['success: Removed Docker host web1'])
    expect(isOpen()).toBe(false)
  })

  test('that came back meanwhile is asked to stop instead', async () => {
    await open({ status: 'offline' }, 'Remove offline host', queued)
    await click('Remove host')
    expect(toasts()).toEqual(['success: Stop command sent to web1'])
    expect(isOpen()).toBe(true)
  })

  test('while it is marked for uninstall is cleaned up', async () => {
    const { asked } = await open({ status: 'offline', pendingUninstall: true }, 'Clean up pending host')
    await click('Remove host')
    expect(asked()).toEqual(['?force=true'])
  })
})

describe('[spec 2 §8] a failure', () => {
  test.each<{ host: Partial<DockerHost>; button: string; action: string; title: string }>([
    { host: {}, button: 'Remove', action: 'Stop agent now', title: 'Failed to send stop command' },
    {
      host: { command: command({ status: 'failed' }) },
      button: 'Force remove',
      action: 'Retry stop command',
      title: 'Failed to send stop command',
    },
    { host: {}, button: 'Remove', action: 'Force remove now', title: 'Failed to remove Docker host' },
    {
      host: { status: 'offline' },
      button: 'Remove offline host',
      action: 'Remove host',
      title: 'Failed to remove Docker host',
    },
    { host: {}, button: 'Remove', action: 'Hide host', title: 'Failed to hide Docker host' },
  ])('of $action stays in the dialog: $title', async ({ host, button, action, title }) => {
    await open(host, button, new Answer(500, { error: 'disk full' }))
    await click(action)
    const texts = inDialog()
      .getAllByRole('alert')
      .map(({ textContent }) => textContent)
    expect(texts).toContain(`${title}disk full`)
    expect(toasts()).toEqual([])
  })

  test('an answer that cannot be parsed says so', async () => {
    await open({}, 'Remove', new Answer(200, '<html>'))
    await click('Stop agent now')
    expect(alert()).toBe('Failed to send stop commandFailed to parse delete docker host response')
  })
})

test('while a call is under way nothing else can be asked for', async () => {
  const answer = Promise.withResolvers()
  await open({}, 'Remove', answer.promise)
  screen.getByRole('button', { name: 'Stop agent now' }).click()
  const busy = await screen.findByRole<HTMLButtonElement>('button', { name: 'Stopping...' })
  const all = inDialog().getAllByRole<HTMLButtonElement>('button', { name: /host|remove|Stopping|Cancel/i })
  expect(all.every(({ disabled }) => disabled)).toBe(true)
  expect(busy.disabled).toBe(true)
  answer.resolve(queued)
  await settled()
})

describe('taking the agent off by hand', () => {
  beforeEach(() => {
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: async () => {} },
      configurable: true,
    })
  })

  test('[spec 2 §7] copying the command marks the host for uninstall', async () => {
    const view = await open({}, 'Remove')
    view.replies[pending] = done
    expect(inDialog().getByLabelText<HTMLInputElement>('Uninstall command').value).toBe(
      "curl -fsSL 'https://pulse.example.org/install-docker-agent.sh' | sh -s -- --uninstall",
    )
    inDialog().getByRole('button', { name: 'Copy' }).click()
    await waitFor(() => expect(view.calls.at(-1)!.call).toBe(pending))
    await settled()
    expect(toasts()).toEqual(['success: Command copied to clipboard!'])
  })

  test('and hears of it when that was not possible', async () => {
    const view = await open({}, 'Remove')
    view.replies[pending] = new Answer(500)
    inDialog().getByRole('button', { name: 'Copy' }).click()
    await waitFor(() => expect(view.calls.at(-1)!.call).toBe(pending))
    await waitFor(() =>
      expect(toasts()).toContain('error: Failed to mark Docker host for uninstall: Failed with status 500'),
    )
  })

  test('is not offered for a host that does not report', async () => {
    await open({ status: 'offline' }, 'Remove offline host')
    expect(inDialog().queryByLabelText('Uninstall command')).toBeNull()
  })
})
