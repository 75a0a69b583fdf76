// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { toastQueue } from '../../ui/toast.ts'
import { dismissToken, revealToken } from './revealed-token.ts'
import { tokenHint, tokenName } from './token-hint.ts'
import { TokenReminder } from '../../app/token-reminder.tsx'

const revealed = {
  token: 'a1b2c3d4e5f6',
  record: { name: 'grafana', prefix: 'a1b2c3', suffix: 'e5f6' },
  source: 'Settings → Security',
  note: 'Copy it below.',
}

const dialog = () => screen.queryByRole('dialog', { name: 'API token' })
const reminder = () => screen.queryByRole('region', { name: 'New API token' })
const press = (name: string) => act(async () => void fireEvent.click(screen.getByRole('button', { name })))

async function setup(over: Partial<typeof revealed> = {}) {
  render(<TokenReminder />)
  await act(async () => revealToken({ ...revealed, ...over }))
  await waitFor(() => expect(dialog()).not.toBeNull())
}

function toasts() {
  const shown: { kind: string; text: string; durationMs: number }[] = []
  toastQueue.connect((message) => shown.push(message))()
  return shown
}

beforeEach(() => void toasts())
afterEach(() => {
  cleanup()
  dismissToken()
})

test.each([
  { prefix: 'ab12cd', suffix: 'ef34', hint: 'ab12cd…ef34' },
  { prefix: 'ab12cd', suffix: '', hint: 'ab12cd…' },
  { prefix: '', suffix: 'ef34', hint: '…ef34' },
  { prefix: '', suffix: '', hint: '' },
])('[spec 1 §2] the hint of "$prefix" and "$suffix" is "$hint"', ({ hint, ...record }) => {
  expect(tokenHint(record)).toBe(hint)
})

test.each(['', '  '])('[spec 1 §2] a token named "%s" is an untitled token', (name) => {
  expect(tokenName({ name })).toBe('Untitled token')
})

describe('[spec 1 §2] the token dialog', () => {
  test('shows the token, its source, the note and the record', async () => {
    await setup()
    expect(screen.getByLabelText<HTMLInputElement>('Token').value).toBe('a1b2c3d4e5f6')
    // an input of one line would cut it
    expect(screen.getByLabelText('Token').tagName).toBe('TEXTAREA')
    for (const text of ['Created in Settings → Security', 'Copy it below.', 'a1b2c3…e5f6']) {
      expect(screen.getByText(text)).toBeDefined()
    }
    expect(dialog()!.textContent).toContain('grafana')
  })

  test.each([
    { by: 'Escape', close: () => fireEvent.keyDown(document.activeElement!, { key: 'Escape' }) },
    {
      by: 'the backdrop',
      close: () => {
        const backdrop = document.querySelector('.fixed.inset-0')!
        fireEvent.pointerDown(backdrop)
        fireEvent.mouseDown(backdrop)
        fireEvent.click(backdrop)
      },
    },
    { by: 'Close', close: () => fireEvent.click(screen.getByText('Close')) },
  ])('closes by $by; the reminder stays and opens it again', async ({ close }) => {
    await setup()
    await act(async () => void close())
    expect(dialog()).toBeNull()
    await press('Show token')
    expect(screen.getByLabelText<HTMLInputElement>('Token').value).toBe('a1b2c3d4e5f6')
  })

  test('closes by Dismiss, and nothing is left', async () => {
    await setup()
    await act(async () => void fireEvent.click(within(dialog()!).getByText('Dismiss')))
    expect([dialog(), reminder()]).toEqual([null, null])
  })

  test('[spec 1 §8] copying is confirmed', async () => {
    const clipboard = { writeText: async () => {} }
    Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true })
    await setup()
    await press('Copy')
    expect(screen.getByText('Copied!')).toBeDefined()
    expect(toasts()).toEqual([{ kind: 'success', text: 'Token copied to clipboard', durationMs: 2_000 }])
  })

  test('[spec 1 §8] a failure to copy is reported', async () => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined, configurable: true })
    document.execCommand = () => false
    await setup()
    await press('Copy')
    expect(toasts()).toMatchObject([{ kind: 'error', text: 'Failed to copy token' }])
  })
})

describe('[spec 2 §3] the reminder', () => {
  test('is not there without a new token', () => {
    render(<TokenReminder />)
    expect(reminder()).toBeNull()
  })

  test('can be dismissed', async () => {
    await setup()
    await act(async () => void fireEvent.click(screen.getByText('Close')))
    await press('Dismiss')
    expect(reminder()).toBeNull()
  })

  test('the token is discarded with the session', async () => {
    await setup()
    cleanup()
    render(<TokenReminder />)
    expect(reminder()).toBeNull()
  })
})
