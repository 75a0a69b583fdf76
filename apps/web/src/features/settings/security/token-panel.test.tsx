// @vitest-environment happy-dom
import { allScopes } from '@pulse/contract'
import { aDockerHost } from '@pulse/testkit'
import { act, cleanup, fireEvent, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { aLive } from '../../../live/fake-live.ts'
import { dismissToken } from '../../../parts/token-reveal/revealed-token.ts'
import { TokenReminder } from '../../../app/token-reminder.tsx'
import { toastQueue } from '../../../ui/toast.ts'
import { Answer, aStatus, aToken, renderSettings, settled, viewer } from '../fake-settings.tsx'
import { expiresAt } from './new-token-dialog.tsx'
import { TokenPanel } from './token-panel.tsx'

const list = 'GET /api/security/tokens'
const create = 'POST /api/security/tokens'

async function show(
  replies: Record<string, unknown> = { [list]: { tokens: [aToken()] } },
  status = aStatus(),
  hosts: readonly string[] = [],
) {
  const live = aLive({
    dockerHosts: Object.fromEntries(
      hosts.map((name) => [name, aDockerHost({ id: name, displayName: name, tokenId: 't1' })]),
    ),
  })
  return renderSettings(
    <>
      <TokenReminder />
      <TokenPanel />
    </>,
    { status, replies, live },
  )
}

async function click(name: string) {
  fireEvent.click(screen.getByRole('button', { name }))
  await settled()
}
const cells = (row: number) =>
  within(screen.getAllByRole('row')[row]!)
    .getAllByRole('cell')
    .map((cell) => cell.textContent)

function toasts() {
  const shown: string[] = []
  toastQueue.connect(({ text }) => shown.push(text))()
  return shown
}

beforeEach(() => void toasts())
afterEach(() => {
  cleanup()
  act(dismissToken)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('[spec 2 §3] the list', () => {
  test('has name, hint, scopes, created, last used, expires, who made it', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime('2026-01-02T10:00:00Z')
    const tokens = [
      aToken({ lastUsedAt: '2026-01-02T09:59:00Z', expiresAt: '2026-02-01T10:00:00Z' }),
      aToken({ id: 't2', name: ' ', suffix: '', scopes: ['docker:report'] }),
    ]
    await show({ [list]: { tokens } })
    expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
      'Name',
      'Hint',
      'Scopes',
      'Created',
      'Last used',
      'Expires',
      'Made by',
      'Actions',
    ])
    const [name, hint, scopes, created, used, expires, source] = cells(1)
    expect([name, hint, scopes, source]).toEqual(['grafana', 'ab12cd…ef34', 'Full access', 'Unknown'])
    expect([created, used, expires].map((text) => text!.split(/(?=[A-Z])/)[0])).toEqual([
      'yesterday',
      '1 minute ago',
      'in 30 days',
    ])
    expect(cells(2).slice(0, 3)).toEqual(['Untitled token', 'ab12cd…', 'docker:report'])
    expect(cells(2).slice(4, 6)).toEqual(['Never', 'Never'])
  })

  test('[spec 2 §2] names up to two of the Docker hosts that report with one', async () => {
    await show({ [list]: { tokens: [aToken(), aToken({ id: 't2', name: 'other' })] } }, aStatus(), [
      'a',
      'b',
      'c',
    ])
    expect([cells(1)[0], cells(2)[0]]).toEqual(['grafanaDocker: a, b, +1 more', 'other'])
  })

  test('a token of the environment cannot be revoked, and says why', async () => {
    await show({ [list]: { tokens: [aToken({ source: 'environment' })] } })
    expect(cells(1).slice(6)).toEqual(['Environment', 'Remove it from API_TOKENS to revoke it'])
    expect(screen.queryByRole('button', { name: /Revoke/ })).toBeNull()
  })

  test('[design 10] below 640 px each token takes two lines', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime('2026-01-02T10:00:00Z')
    vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }))
    const tokens = [
      aToken({ scopes: ['docker:report'], expiresAt: '2026-01-01T00:00:00Z' }),
      aToken({ id: 't2' }),
    ]
    await show({ [list]: { tokens } })
    const lines = screen.getAllByRole('listitem').map((row) => [...row.querySelectorAll('p')])
    expect(lines.map((row) => row.map(({ textContent }) => textContent))).toEqual([
      ['grafanaab12cd…ef34', 'docker:report · used never · Expired'],
      ['grafanaab12cd…ef34', 'Full access · used never'],
    ])
  })

  test('is empty at first', async () => {
    await show({ [list]: { tokens: [] } })
    expect(screen.getByRole('heading', { name: 'No API tokens yet' })).toBeDefined()
  })

  test('shows its shape while it loads', async () => {
    const answer = Promise.withResolvers()
    await renderSettings(<TokenPanel />, { pending: true, replies: { [list]: answer.promise } })
    expect(screen.getByRole('status', { name: 'Loading API tokens' })).toBeDefined()
    answer.resolve({ tokens: [] })
    await settled()
    expect(screen.queryByRole('status')).toBeNull()
  })

  test('[spec 2 §8] a failure says so and can be retried', async () => {
    const { replies } = await show({ [list]: new Answer(500, { error: 'database is locked' }) })
    expect(screen.getByRole('alert').textContent).toBe('Failed to load API tokensdatabase is lockedRetry')
    replies[list] = { tokens: [aToken()] }
    await click('Retry')
    expect(screen.getByText('grafana')).toBeDefined()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test.each([401, 403])(
    '[spec 2 §6] a %i asks for an administrator, and nothing can be created',
    async (code) => {
      await show({ [list]: new Answer(code, { error: 'no' }) })
      expect(screen.getByRole('alert').textContent).toBe(
        'Authentication required to list API tokens. Sign in with an administrator account, then try again.Retry',
      )
      expect(screen.queryByRole('button', { name: 'New token' })).toBeNull()
    },
  )

  test('[spec 2 §6] a viewer sees so, and nothing is loaded', async () => {
    const { calls } = await show({}, aStatus({ user: viewer }))
    expect(
      screen.getByText('Sign in with an administrator account to create tokens in the browser.'),
    ).toBeDefined()
    expect(screen.getByText('You need administrator access to create API tokens from here.')).toBeDefined()
    expect(calls).toEqual([])
  })
})

describe('creating', () => {
  const reply = { token: 'f'.repeat(64), record: aToken({ id: 't9', name: 'API token' }) }
  const replies = { [list]: { tokens: [] }, [create]: reply }
  const form = () => within(screen.getByRole('dialog', { name: 'New API token' }))

  test('without a word: "API token", every scope, for ever', async () => {
    const { calls, refreshed } = await show(replies)
    await click('New token')
    await click('Generate token')
    expect(calls.find(({ call }) => call === create)!.body).toEqual({ name: 'API token' })
    expect(calls.filter(({ call }) => call === list)).toHaveLength(2)
    expect(refreshed()).toBe(1)
  })

  test('[spec 2 §8] the new token is shown once, with what to do', async () => {
    await show(replies)
    await click('New token')
    await click('Generate token')
    const dialog = within(await screen.findByRole('dialog', { name: 'API token' }))
    expect(
      dialog.getByText('New API token generated. Copy it below while it is still visible.'),
    ).toBeDefined()
    expect(dialog.getByLabelText<HTMLInputElement>('Token').value).toBe('f'.repeat(64))
  })

  test('with a name, chosen scopes and an end', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime('2026-01-01T00:00:00Z')
    const { calls } = await show(replies)
    await click('New token')
    fireEvent.change(form().getByLabelText('Name'), { target: { value: ' backup script ' } })
    fireEvent.click(form().getByRole('radio', { name: 'Chosen scopes' }))
    expect(form().getByRole<HTMLButtonElement>('button', { name: 'Generate token' }).disabled).toBe(true)
    fireEvent.click(form().getByRole('checkbox', { name: 'monitoring:read' }))
    fireEvent.click(form().getByRole('checkbox', { name: 'docker:report' }))
    fireEvent.click(form().getByRole('checkbox', { name: 'docker:report' }))
    await act(async () => void fireEvent.click(form().getByRole('combobox', { name: 'Expires' })))
    const choices = form().getAllByRole('option')
    expect(choices.map(({ textContent }) => textContent)).toEqual([
      'Never',
      'In 30 days',
      'In 90 days',
      'In 365 days',
    ])
    await act(async () => {
      fireEvent.pointerDown(choices[2]!)
      fireEvent.click(choices[2]!)
    })
    await click('Generate token')
    expect(calls.find(({ call }) => call === create)!.body).toEqual({
      name: 'backup script',
      scopes: ['monitoring:read'],
      expiresAt: '2026-04-01T00:00:00.000Z',
    })
  })

  test('every scope has an explanation', async () => {
    await show(replies)
    await click('New token')
    fireEvent.click(form().getByRole('radio', { name: 'Chosen scopes' }))
    for (const scope of allScopes) {
      expect(form().getByRole('checkbox', { name: scope, description: /\w/ })).toBeDefined()
    }
  })

  test.each([
    {
      answer: new Answer(409, { error: 'There are 1000 tokens already.' }),
      reason: 'There are 1000 tokens already.',
    },
    {
      answer: new Answer(403, { error: 'no' }),
      reason: 'Sign in with an administrator account to generate tokens here.',
    },
  ])('[spec 2 §8] Failed to generate API token: $reason', async ({ answer, reason }) => {
    await show({ ...replies, [create]: answer })
    await click('New token')
    await click('Generate token')
    expect(form().getByRole('alert').textContent).toBe(`Failed to generate API token${reason}`)
  })

  test.each([
    ['never', undefined],
    ['30', '2026-01-31T00:00:00.000Z'],
    ['90', '2026-04-01T00:00:00.000Z'],
    ['365', '2027-01-01T00:00:00.000Z'],
  ] as const)('expiry %s is %s', (choice, time) => {
    expect(expiresAt(choice, Date.UTC(2026, 0, 1))).toBe(time)
  })
})

describe('revoking', () => {
  const revoke = 'DELETE /api/security/tokens/t1'
  const replies = { [list]: { tokens: [aToken()] } }

  test('asks first', async () => {
    const { calls } = await show(replies)
    await click('Revoke grafana')
    expect(screen.getByRole('dialog', { name: 'Revoke API token' }).textContent).toContain(
      'grafana stops working',
    )
    await click('Cancel')
    expect(calls.map(({ call }) => call)).toEqual([list])
  })

  test.each([
    {
      hosts: ['dock1'],
      text: 'The Docker host dock1 uses it and cannot report until it has a new token.',
    },
    {
      hosts: ['dock10', 'dock2', 'a', 'b', 'c', 'd', 'e'],
      text: '7 Docker hosts use it and cannot report until they have new tokens: a, b, c, d, dock2, +2 more.',
    },
  ])(
    '[spec 2 §2] warns of the hosts that report with it, up to five by name: $hosts',
    async ({ hosts, text }) => {
      await show(replies, aStatus(), hosts)
      await click('Revoke grafana')
      expect(within(screen.getByRole('dialog')).getByText(text)).toBeDefined()
    },
  )

  test('[spec 2 §8] says Token revoked', async () => {
    const { calls } = await show({ ...replies, [revoke]: new Answer(204) })
    await click('Revoke grafana')
    await click('Revoke token')
    expect(toasts()).toEqual(['Token revoked'])
    expect(calls.map(({ call }) => call)).toEqual([list, revoke, list])
    expect(screen.queryByRole('dialog')).toBeNull()
  })

  test('[spec 2 §8] says Failed to revoke API token, and why', async () => {
    await show({ ...replies, [revoke]: new Answer(409, { error: 'It is in use.' }) })
    await click('Revoke grafana')
    await click('Revoke token')
    expect(screen.getByRole('alert').textContent).toBe('Failed to revoke API tokenIt is in use.')
  })
})
