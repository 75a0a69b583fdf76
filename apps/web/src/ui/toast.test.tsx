// @vitest-environment happy-dom
import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { toast, toastDurations, toastQueue } from './toast.ts'
import { Toasts } from './toasts.tsx'
import { within } from '../../../../scripts/test-limits.ts'

afterEach(cleanup)

test('[spec 1 §9] success and info stay 5 s, errors 10 s', () => {
  expect(toastDurations).toEqual({ success: 5_000, info: 5_000, error: 10_000 })
})

test('messages wait for the toaster, then go straight to it', () => {
  const drawn: unknown[] = []
  toast.info('early')
  expect(toastQueue.hasWaiting()).toBe(true)
  const disconnect = toastQueue.connect((message) => drawn.push(message))
  toast.error('late')
  toast.success('long', 8_000)
  disconnect()
  expect(drawn).toEqual([
    { kind: 'info', text: 'early', durationMs: 5_000 },
    { kind: 'error', text: 'late', durationMs: 10_000 },
    { kind: 'success', text: 'long', durationMs: 8_000 },
  ])
  expect(toastQueue.hasWaiting()).toBe(false)
})

test('the first toast loads the toaster and is shown by it', async () => {
  render(<Toasts />)
  expect(document.querySelector('[data-sonner-toaster]')).toBeNull()
  act(() => toast.success('Saved'))
  await vi.waitFor(() => expect(screen.getByText('Saved')).toBeDefined(), within(30_000))
  act(() => toast.error('Not saved'))
  await vi.waitFor(() => expect(screen.getByText('Not saved')).toBeDefined(), within(30_000))
})
