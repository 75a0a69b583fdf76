// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { type ReactNode, useEffect, useState } from 'react'
import { afterEach, expect, test } from 'vitest'
import { Dialog } from './dialog.tsx'
import { RestoreFocus } from './restore-focus.ts'

interface ListProps {
  names?: readonly string[]
  /** asks in a dialog first */
  ask?: boolean
}

let change: (names: readonly string[]) => void

function List({ names = ['a', 'b', 'c'], ask = false }: ListProps) {
  const [rows, setRows] = useState(names)
  const [asked, setAsked] = useState<string>()
  useEffect(() => {
    change = setRows
  }, [])
  const remove = (name: string) => setRows(rows.filter((other) => other !== name))
  return (
    <>
      <RestoreFocus />
      <a href="#top">Top</a>
      <section tabIndex={-1} aria-label="list">
        <ul>
          {rows.map((name) => (
            <li key={name}>
              <a href={`#${name}`}>{name}</a>
              <span>
                <button type="button" onClick={() => (ask ? setAsked(name) : remove(name))}>
                  Remove {name}
                </button>
              </span>
            </li>
          ))}
        </ul>
      </section>
      <Dialog open={asked !== undefined} onClose={() => setAsked(undefined)} title="Sure?">
        <button
          type="button"
          onClick={() => {
            setAsked(undefined)
            remove(asked!)
          }}
        >
          Yes
        </button>
      </Dialog>
    </>
  )
}

const at = () => document.activeElement!.getAttribute('aria-label') ?? document.activeElement!.textContent
const press = (name: string) =>
  act(async () => {
    const button = screen.getByRole('button', { name })
    button.focus()
    fireEvent.click(button)
  })

afterEach(cleanup)

test('when the focused element is removed, the same position in the next row gets the focus; after the last row, in the previous one', async () => {
  render(<List />)
  await press('Remove b')
  expect(at()).toBe('Remove c')
  await press('Remove c')
  expect(at()).toBe('Remove a')
})

test('when the list is empty, its container gets the focus', async () => {
  render(<List names={['a']} />)
  await press('Remove a')
  expect(at()).toBe('list')
})

test('rows that others remove leave the focus where it is', async () => {
  render(<List />)
  screen.getByRole('button', { name: 'Remove b' }).focus()
  await act(async () => change(['b', 'c']))
  expect(at()).toBe('Remove b')
  await act(async () => change(['c']))
  expect(at()).toBe('Remove c')
})

test('removing an element without focus moves no focus', async () => {
  render(<List />)
  const link = screen.getByRole('link', { name: 'a' })
  link.focus()
  link.blur()
  await act(async () => change(['b', 'c']))
  expect(document.activeElement).toBe(document.body)
})

test('a page that replaces another begins without focus, so that its skip link stays hidden', async () => {
  const show = (page: ReactNode) => (
    <main>
      <RestoreFocus />
      {page}
    </main>
  )
  const { rerender } = render(show(<button type="button">Sign in</button>))
  screen.getByRole('button', { name: 'Sign in' }).focus()
  const skip = (
    <a href="#content" className="skip-link">
      Skip to content
    </a>
  )
  await act(async () => rerender(show(<div>{skip}</div>)))
  expect(document.activeElement).toBe(document.body)
})

test('a dialog whose opener was removed focuses its successor', async () => {
  render(<List ask />)
  await press('Remove b')
  await press('Yes')
  await waitFor(() => expect(at()).toBe('Remove c'))
})
