// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { within as atMost } from '../../../../../scripts/test-limits.ts'
import { toast } from '../../ui/toast.ts'
import { Toasts } from '../../ui/toasts.tsx'
import { usePageKeys } from './page-keys.tsx'

const focusSearch = vi.fn<() => void>()
const onEscape = vi.fn<() => void>()

function Page() {
  usePageKeys({ focusSearch, onEscape })
  return (
    <>
      <input aria-label="text" />
      <input type="radio" aria-label="choice" />
      <button type="button">button</button>
    </>
  )
}

beforeEach(() => {
  vi.clearAllMocks()
  render(<Page />)
})
afterEach(cleanup)

test.each(['a', 'Z', '1', 'ä', '>', '/', '😀'])('[spec 1 §2] typing %s goes to the search', (key) => {
  const allowed = fireEvent.keyDown(document.body, { key })
  expect(focusSearch).toHaveBeenCalledTimes(1)
  expect(allowed, 'the key itself still types, but for the slash').toBe(key !== '/')
})

test.each([
  { key: ' ' },
  { key: 'Enter' },
  { key: 'ArrowDown' },
  { key: 'F5' },
  { key: 'Tab' },
  { key: 'c', ctrlKey: true },
  { key: 'v', metaKey: true },
  { key: 'x', altKey: true },
])('$key alone or with a modifier does not', (event) => {
  fireEvent.keyDown(document.body, event)
  expect(focusSearch).not.toHaveBeenCalled()
})

test('typing into a field stays there; buttons and radio buttons take no text', () => {
  fireEvent.keyDown(screen.getByLabelText('text'), { key: 'a' })
  expect(focusSearch).not.toHaveBeenCalled()
  fireEvent.keyDown(screen.getByLabelText('choice'), { key: 'a' })
  fireEvent.keyDown(screen.getByRole('button'), { key: 'a' })
  expect(focusSearch).toHaveBeenCalledTimes(2)
})

test('[spec 1 §2] Escape backs out from anywhere, unless somebody below used it', () => {
  fireEvent.keyDown(screen.getByLabelText('text'), { key: 'Escape' })
  expect(onEscape).toHaveBeenCalledTimes(1)
  const used = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true })
  used.preventDefault()
  document.body.dispatchEvent(used)
  expect(onEscape).toHaveBeenCalledTimes(1)
})

test('an open dialog keeps its keys', () => {
  const dialog = document.createElement('dialog')
  dialog.setAttribute('open', '')
  document.body.append(dialog)
  fireEvent.keyDown(dialog, { key: 'a' })
  fireEvent.keyDown(dialog, { key: 'Escape' })
  expect([focusSearch, onEscape].map((call) => call.mock.calls.length)).toEqual([0, 0])
  dialog.remove()
})

test('Escape in a message closes it and does nothing else on the page', async () => {
  render(<Toasts />)
  act(() => toast.info('filtered'))
  const close = () =>
    within(screen.getByText('filtered').closest('[data-toast]')!).getByRole('button', {
      name: 'Close message',
    })
  await vi.waitFor(close, { timeout: atMost(30_000) })
  act(() => close().focus())
  fireEvent.keyDown(close(), { key: 'Escape' })
  await vi.waitFor(() => expect(screen.queryByText('filtered')).toBeNull(), { timeout: atMost(30_000) })
  expect(onEscape).not.toHaveBeenCalled()
  fireEvent.keyDown(document.body, { key: 'Escape' })
  expect(onEscape).toHaveBeenCalledTimes(1)
})
