// @vitest-environment happy-dom
import { ActorMethod, AuditEvent } from '@pulse/contract'
import { act, cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Answer, anAuditRecord, renderSettings, settled } from '../fake-settings.tsx'
import { AuditPanel } from './audit-panel.tsx'
import { eventChoices, eventTexts, methodTexts } from './audit-texts.ts'

const page = 'GET /api/security/audit'

const show = (reply: unknown) => renderSettings(<AuditPanel />, { replies: { [page]: reply } })
async function click(name: string) {
  fireEvent.click(screen.getByRole('button', { name }))
  await settled()
}
const rows = () => screen.getAllByRole('row').map((row) => [...row.children].map((cell) => cell.textContent))

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

test('[facts platform §7.2] time, event in words, result, who and how, from, target, details, request', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime('2026-01-01T10:00:30Z')
  await show({
    events: [
      anAuditRecord({
        event: 'token_created',
        address: '192.0.2.5',
        target: 'grafana',
        details: 'full access',
        requestId: 'req-1',
      }),
      anAuditRecord({ id: 'a2', event: 'login_failed', success: false, actor: 'root', method: 'none' }),
    ],
  })
  const [head, first, second] = rows()
  expect(head).toEqual(['Time', 'Event', 'Result', 'Who', 'From', 'Target', 'Details'])
  expect(first![0]).toMatch(/^30 seconds agoJan 1, 2026, \d+:00:00/)
  expect(first!.slice(1, 6)).toEqual(['API token created', 'Success', 'admin', '192.0.2.5', 'grafana'])
  expect(second!.slice(1, 6)).toEqual(['Sign-in failed', 'Failed', 'root', '—', '—'])
})

test('an event is one line; its row opens on what else is known of it', async () => {
  await show({
    events: [anAuditRecord({ details: 'full access', requestId: 'req-1' }), anAuditRecord({ id: 'a2' })],
  })
  expect([screen.queryByText('full access'), screen.queryByText('req-1')]).toEqual([null, null])
  const [first] = screen.getAllByRole('button', { name: /^Details of / })
  expect(first!.getAttribute('aria-expanded')).toBe('false')
  fireEvent.click(first!)
  expect(first!.getAttribute('aria-expanded')).toBe('true')
  expect(screen.getByText('full access')).toBeDefined()
  expect(screen.getByText('req-1')).toBeDefined()
  expect(screen.getByText('Password session')).toBeDefined()
  fireEvent.click(first!)
  expect(screen.queryByText('req-1')).toBeNull()
})

test('a failure is marked by an icon and a word, not by colour alone', async () => {
  await show({ events: [anAuditRecord({ success: false })] })
  const result = screen.getByText('Failed')
  expect(result.querySelector('svg')).not.toBeNull()
})

test('what happened again and again is one row that says how often, and when last', async () => {
  const lastTime = '2026-01-01T10:09:00Z'
  await show({ events: [anAuditRecord({ event: 'login_failed', count: 37, lastTime })] })
  expect(rows()[1]![0]).toMatch(/37 times/)
  fireEvent.click(screen.getByRole('button', { name: /^Details of / }))
  expect(rows()[2]!.join()).toMatch(/37 times, last .*:09:00/)
})

test('Show older asks for what came before, until there is no more', async () => {
  const { calls, replies } = await show({ events: [anAuditRecord()], next: 'a1' })
  expect(calls[0]!.search).toBe('?limit=50')
  replies[page] = { events: [anAuditRecord({ id: 'a0', actor: 'older' })] }
  await click('Show older')
  expect(calls[1]!.search).toBe('?limit=50&before=a1')
  expect(rows().map((row) => row[3])).toEqual(['Who', 'admin', 'older'])
  expect(screen.queryByRole('button', { name: 'Show older' })).toBeNull()
})

test('can be filtered by event', async () => {
  const { calls, replies } = await show({ events: [anAuditRecord()] })
  replies[page] = { events: [] }
  await act(async () => void fireEvent.click(screen.getByRole('combobox', { name: 'Event' })))
  const option = screen.getByRole('option', { name: 'Account locked' })
  await act(async () => {
    fireEvent.pointerDown(option)
    fireEvent.click(option)
  })
  await settled()
  expect(calls.at(-1)!.search).toBe('?limit=50&event=lockout')
  expect(screen.getByText('No event matches the filters.')).toBeDefined()
})

test('every event and every method has words of its own', () => {
  expect(eventChoices).toHaveLength(AuditEvent.options.length + 1)
  expect(new Set(Object.values(eventTexts)).size).toBe(AuditEvent.options.length)
  expect(new Set(Object.values(methodTexts)).size).toBe(ActorMethod.options.length)
})

describe('states', () => {
  test('nothing recorded', async () => {
    await show({ events: [] })
    expect(screen.getByRole('heading', { name: 'Nothing recorded' })).toBeDefined()
  })

  test('a failure can be retried', async () => {
    const { replies } = await show(new Answer(500, { error: 'x' }))
    expect(screen.getByRole('alert').textContent).toBe('Failed to load the audit logxRetry')
    replies[page] = { events: [anAuditRecord()] }
    await click('Retry')
    expect(rows()).toHaveLength(2)
  })
})
