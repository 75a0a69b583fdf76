// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { Button } from './button.tsx'
import { RestoreFocus } from './restore-focus.ts'
import { Popover, PopoverParts } from './popover.tsx'

afterEach(cleanup)

const button = () => screen.getByRole('button', { name: 'Tips' })
const panel = () => screen.queryByRole('dialog', { name: 'Search tips' })
const isGone = () => waitFor(() => expect(panel()).toBeNull())

const draw = () =>
  render(
    <>
      <input aria-label="Before" />
      <Popover label="Search tips" trigger={<Button>Tips</Button>}>
        {(close) => <Button onClick={close}>Done</Button>}
      </Popover>
      <p>outside</p>
      <RestoreFocus />
    </>,
  )

// must be the first test, because the code stays loaded afterwards
test('a press before the code has loaded opens it once loaded', async () => {
  draw()
  button().focus()
  expect([button().getAttribute('aria-haspopup'), button().getAttribute('aria-expanded')]).toEqual([
    'dialog',
    'false',
  ])
  fireEvent.click(button())
  expect(panel()).toBeNull()
  await waitFor(() => expect(document.activeElement).toBe(panel()))
  expect(button().getAttribute('aria-expanded')).toBe('true')
  fireEvent.keyDown(panel()!, { key: 'Escape' })
  await waitFor(() => expect(document.activeElement).toBe(button()))
})

describe('once its code is there', () => {
  async function show() {
    await PopoverParts.preload()
    const below = vi.fn<(event: KeyboardEvent) => void>()
    document.addEventListener('keydown', below)
    draw()
    // as a press does in a browser
    button().focus()
    fireEvent.click(button())
    await waitFor(() => expect(document.activeElement).toBe(panel()))
    return { below, stop: () => document.removeEventListener('keydown', below) }
  }

  test('[spec 1 §2] Escape closes it, returns the focus and stops there', async () => {
    const { below, stop } = await show()
    fireEvent.keyDown(panel()!, { key: 'Escape' })
    await isGone()
    await waitFor(() => expect(document.activeElement).toBe(button()))
    expect(below).not.toHaveBeenCalled()
    fireEvent.keyDown(document.body, { key: 'Escape' })
    expect(below).toHaveBeenCalledTimes(1)
    stop()
  })

  test('[spec 1 §2] a press outside closes it, one inside does not', async () => {
    const { stop } = await show()
    fireEvent.click(panel()!)
    expect(panel()).not.toBeNull()
    fireEvent.click(screen.getByText('outside'))
    await isGone()
    stop()
  })

  test('the button has an expanded state and closes it too', async () => {
    const { stop } = await show()
    expect(button().getAttribute('aria-expanded')).toBe('true')
    fireEvent.click(screen.getByRole('button', { name: 'Done' }))
    expect(button().getAttribute('aria-expanded')).toBe('false')
    fireEvent.click(button())
    expect(panel()).not.toBeNull()
    fireEvent.click(button())
    await isGone()
    stop()
  })
})
