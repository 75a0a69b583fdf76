// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CopyField } from './copy-field.tsx'

const clipboard = (value: unknown) =>
  Object.defineProperty(navigator, 'clipboard', { value, configurable: true })

let events: string[]
async function copy() {
  events = []
  render(
    <CopyField
      label="Token"
      value="s3cret"
      onCopied={() => events.push('copied')}
      onFailed={() => events.push('failed')}
    />,
  )
  await act(async () => void fireEvent.click(screen.getByRole('button')))
}
const button = () => screen.getByRole('button').textContent
const marked = () => {
  const field = screen.getByLabelText<HTMLInputElement>('Token')
  return field.value.slice(field.selectionStart!, field.selectionEnd!)
}

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('copying', () => {
  test('[spec 1 §2] says Copied! for 2 seconds', async () => {
    const texts: string[] = []
    clipboard({ writeText: async (text: string) => void texts.push(text) })
    await copy()
    expect([texts, events, button()]).toEqual([['s3cret'], ['copied'], 'Copied!'])
    act(() => vi.advanceTimersByTime(1_999))
    expect(button()).toBe('Copied!')
    act(() => vi.advanceTimersByTime(1))
    expect(button()).toBe('Copy')
  })

  test('on plain HTTP without a Clipboard API the selected field is copied with execCommand', async () => {
    clipboard(undefined)
    const commands: string[] = []
    document.execCommand = (command: string) => {
      commands.push(`${command} ${marked()}`)
      return true
    }
    await copy()
    expect([commands, events]).toEqual([['copy s3cret'], ['copied']])
  })

  test('when the browser refuses, the text stays selected', async () => {
    clipboard({ writeText: () => Promise.reject(new Error('denied')) })
    document.execCommand = () => false
    await copy()
    expect([events, button(), marked()]).toEqual([['failed'], 'Copy', 's3cret'])
  })
})

test('a text of several lines keeps them and is selected as a whole', () => {
  render(<CopyField label="File" value={'one\ntwo\nthree'} lines />)
  const field = screen.getByLabelText<HTMLTextAreaElement>('File')
  expect([field.tagName, field.getAttribute('rows')]).toEqual(['TEXTAREA', '3'])
  fireEvent.focus(field)
  expect([field.selectionStart, field.selectionEnd]).toEqual([0, field.value.length])
})
