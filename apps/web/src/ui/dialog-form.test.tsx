// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Dialog } from './dialog.tsx'
import { DialogForm } from './dialog-form.tsx'

const onClose = vi.fn<() => void>()
const onSubmit = vi.fn<() => void>()
type Options = Partial<Parameters<typeof DialogForm>[0]>

const dialog = (options: Options) => (
  <Dialog open onClose={onClose} title="Add thing">
    <DialogForm
      onSubmit={onSubmit}
      onCancel={onClose}
      action="Add"
      busyAction="Adding..."
      busy={false}
      {...options}
    >
      <input aria-label="Name" />
    </DialogForm>
  </Dialog>
)
const show = (options: Options) => act(async () => render(dialog(options)))
const press = (key: string) => act(async () => void fireEvent.keyDown(screen.getByRole('dialog'), { key }))
const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const send = () => act(async () => void fireEvent.submit(document.querySelector('form')!))

beforeEach(() => void vi.clearAllMocks())
afterEach(cleanup)

test('while its call is pending nothing closes it and nothing submits it again', async () => {
  await show({ busy: true })
  await press('Escape')
  await act(async () => void fireEvent.click(button('Cancel')))
  await act(async () => void fireEvent.click(button('Close')))
  await send()
  expect([onClose.mock.calls.length, onSubmit.mock.calls.length]).toEqual([0, 0])
  expect([button('Adding...'), button('Cancel'), button('Close')].map((one) => one.disabled)).toEqual([
    true,
    true,
    true,
  ])
})

test('once it has ended Escape closes it again', async () => {
  const { rerender } = await show({ busy: true })
  await act(async () => rerender(dialog({ busy: false })))
  await press('Escape')
  expect(onClose).toHaveBeenCalledTimes(1)
})

test('Enter sends it, unless something is missing', async () => {
  const { rerender } = await show({ incomplete: true })
  await send()
  expect(onSubmit).not.toHaveBeenCalled()
  await act(async () => rerender(dialog({ incomplete: false })))
  await send()
  expect(onSubmit).toHaveBeenCalledTimes(1)
})

test('an error is announced inside the dialog', async () => {
  await show({ failure: { title: 'Failed to add thing', reason: 'Name is taken' } })
  expect(screen.getByRole('alert').textContent).toBe('Failed to add thingName is taken')
})
