// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { toast, toastDurations, toastQueue } from './toast.ts'
import { Toasts } from './toasts.tsx'
import { within as atMost } from '../../../../scripts/test-limits.ts'

afterEach(cleanup)

test('[spec 1 §9] success and info stay 5 s, errors 10 s; a warning stays in between', () => {
  expect(toastDurations).toEqual({ success: 5_000, info: 5_000, warning: 8_000, error: 10_000 })
})

test('messages wait for the toaster, then go straight to it', () => {
  const drawn: unknown[] = []
  toast.info('early')
  expect(toastQueue.isNeeded()).toBe(true)
  const disconnect = toastQueue.connect((message) => drawn.push(message))
  toast.error('late')
  toast.warning('careful')
  toast.success('long', 8_000)
  disconnect()
  expect(drawn).toEqual([
    { kind: 'info', text: 'early', durationMs: 5_000 },
    { kind: 'error', text: 'late', durationMs: 10_000 },
    { kind: 'warning', text: 'careful', durationMs: 8_000 },
    { kind: 'success', text: 'long', durationMs: 8_000 },
  ])
  expect(toastQueue.isNeeded()).toBe(false)
})

test('the first toast loads the toaster and is shown by it', async () => {
  render(<Toasts />)
  expect(document.querySelector('.toasts')).toBeNull()
  act(() => toast.success('Saved'))
  await vi.waitFor(() => expect(screen.getByText('Saved')).toBeDefined(), { timeout: atMost(30_000) })
  act(() => toast.error('Not saved'))
  await vi.waitFor(() => expect(screen.getByText('Not saved')).toBeDefined(), { timeout: atMost(30_000) })
})

test('[spec 3 §3] each type has its mark, and a message can be closed', async () => {
  render(<Toasts />)
  for (const kind of ['success', 'info', 'warning', 'error'] as const) act(() => toast[kind](`a ${kind}`))
  const types = () =>
    [...document.querySelectorAll<HTMLElement>('[data-toast]')].map((one) => one.dataset['toast'])
  await vi.waitFor(() => expect(types().slice(0, 4)).toEqual(['error', 'warning', 'info', 'success']), {
    timeout: atMost(30_000),
  })
  expect(screen.queryByRole('dialog')).toBeNull()
  fireEvent.click(
    within(screen.getByText('a warning').closest('[data-toast]')!).getByRole('button', {
      name: 'Close message',
    }),
  )
  await vi.waitFor(() => expect(screen.queryByText('a warning')).toBeNull(), { timeout: atMost(30_000) })
})
