// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, test } from 'vitest'
import { Dialog, DialogCancel, useDialogBusy } from './dialog.tsx'

function Page({ locked = false }: { locked?: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      <Dialog open={open} onClose={() => setOpen(false)} title="Title" description="Why" locked={locked}>
        <input aria-label="Name" defaultValue="" />
      </Dialog>
    </>
  )
}

async function open(locked = false) {
  render(<Page locked={locked} />)
  screen.getByRole('button', { name: 'Open' }).focus()
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Open' })))
}

const dialog = () => screen.queryByRole('dialog')
const escape = () => act(async () => void fireEvent.keyDown(document.activeElement!, { key: 'Escape' }))
const pressBackdrop = () =>
  act(async () => {
    const backdrop = document.querySelector('.fixed.inset-0')!
    fireEvent.pointerDown(backdrop)
    fireEvent.mouseDown(backdrop)
    fireEvent.click(backdrop)
  })

afterEach(cleanup)

describe('a dialog', () => {
  test('has a name and a description, and starts at its first field', async () => {
    await open()
    expect(screen.getByRole('dialog', { name: 'Title', description: 'Why' })).toBeDefined()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Name')))
  })

  test.each([
    { by: 'Escape', close: escape },
    { by: 'the backdrop', close: pressBackdrop },
    {
      by: 'the cross',
      close: () => act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Close' }))),
    },
  ])('[spec 1 §2] closes by $by; the focus returns', async ({ close }) => {
    await open()
    await close()
    expect(dialog()).toBeNull()
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Open' })))
  })

  test('a locked one stays', async () => {
    await open(true)
    await escape()
    await pressBackdrop()
    expect(dialog()).not.toBeNull()
    expect(screen.queryByRole('button', { name: 'Close' })).toBeNull()
  })

  test('starts with fresh content each time', async () => {
    await open()
    fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'typed' } })
    await escape()
    await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Open' })))
    expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('')
  })
})

test('a dialog with a pending call stays until the answer', async () => {
  function Form() {
    const [busy, setBusy] = useState(true)
    useDialogBusy(busy)
    return (
      <>
        <DialogCancel onClick={() => {}} />
        <button type="button" onClick={() => setBusy(false)}>
          Answered
        </button>
      </>
    )
  }
  function Busy() {
    const [shown, setShown] = useState(true)
    return (
      <Dialog open={shown} onClose={() => setShown(false)} title="Title">
        <Form />
      </Dialog>
    )
  }
  await act(async () => void render(<Busy />))
  const buttons = () =>
    ['Cancel', 'Close'].map((name) => screen.getByRole<HTMLButtonElement>('button', { name }).disabled)
  expect(buttons()).toEqual([true, true])
  await escape()
  await pressBackdrop()
  expect(dialog()).not.toBeNull()
  await act(async () => void fireEvent.click(screen.getByRole('button', { name: 'Answered' })))
  expect(buttons()).toEqual([false, false])
  await escape()
  expect(dialog()).toBeNull()
})
