// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { useRef, useState } from 'react'
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { PopoverParts } from '../../ui/popover.tsx'
import { SearchBox } from './search-box.tsx'
import { SearchTips } from './search-tips.tsx'

beforeAll(() => PopoverParts.preload())
beforeEach(() => localStorage.clear())
afterEach(cleanup)

function SearchField({ initial = '' }: { initial?: string }) {
  const [value, setValue] = useState(initial)
  const inputRef = useRef<HTMLInputElement>(null)
  return (
    <SearchBox
      label="Search guests"
      placeholder="Search"
      value={value}
      onChange={setValue}
      history="dashboard"
      inputRef={inputRef}
    />
  )
}

const box = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Search guests' })
const type = (value: string) => fireEvent.change(box(), { target: { value } })
function openHistory() {
  fireEvent.click(screen.getByRole('button', { name: 'Search history' }))
  return screen.getByRole('dialog', { name: 'Search history' })
}
const terms = () =>
  within(screen.getByRole('list', { name: 'Recent searches' }))
    .getAllByRole('listitem')
    .map((item) => item.textContent)

describe('the history of searches', () => {
  test('[spec 1 §4] is saved on Enter and on leaving, newest first', () => {
    render(<SearchField />)
    type('web')
    fireEvent.keyDown(box(), { key: 'Enter' })
    type('cpu>80')
    fireEvent.blur(box())
    openHistory()
    expect(terms()).toEqual(['cpu>80', 'web'])
  })

  test('[spec 1 §4] typing alone saves nothing; blanks are ignored', () => {
    render(<SearchField />)
    type('web')
    openHistory()
    expect(screen.getByText('No recent searches.')).toBeDefined()
    type('   ')
    fireEvent.keyDown(box(), { key: 'Enter' })
    expect(screen.getByText('No recent searches.')).toBeDefined()
  })

  test('[spec 1 §4] at most 10 unique entries, case aside', () => {
    render(<SearchField />)
    for (const term of [...Array.from({ length: 12 }, (_, i) => `term ${i}`), 'TERM 5']) {
      type(term)
      fireEvent.keyDown(box(), { key: 'Enter' })
    }
    openHistory()
    expect(terms()).toHaveLength(10)
    expect(terms()[0]).toBe('TERM 5')
    expect(terms()).not.toContain('term 5')
  })

  test('[spec 1 §4] one can be chosen, removed, or all cleared', () => {
    localStorage.setItem('dashboardSearchHistory', JSON.stringify(['a', 'b', 'c']))
    render(<SearchField />)
    const dialog = openHistory()
    fireEvent.click(within(dialog).getByRole('button', { name: 'Remove b' }))
    expect(terms()).toEqual(['a', 'c'])
    fireEvent.click(within(dialog).getByRole('button', { name: 'c' }))
    expect(box().value).toBe('c')
    expect(document.activeElement).toBe(box())
    fireEvent.click(within(openHistory()).getByRole('button', { name: 'Clear history' }))
    expect(screen.getByText('No recent searches.')).toBeDefined()
  })

  test('[spec 1 §9] the list is about 13rem high at most', () => {
    localStorage.setItem('dashboardSearchHistory', JSON.stringify(['a']))
    render(<SearchField />)
    openHistory()
    // max-h-52 is 52 quarters of a rem
    expect(screen.getByRole('list', { name: 'Recent searches' }).className).toContain('max-h-52')
  })

  test('arrows move between the terms', () => {
    localStorage.setItem('dashboardSearchHistory', JSON.stringify(['a', 'b']))
    render(<SearchField />)
    const list = within(openHistory()).getByRole('list')
    fireEvent.keyDown(list, { key: 'ArrowDown' })
    expect(document.activeElement!.textContent).toBe('a')
    fireEvent.keyDown(list, { key: 'ArrowDown' })
    fireEvent.keyDown(list, { key: 'ArrowDown' })
    expect(document.activeElement!.textContent).toBe('b')
    fireEvent.keyDown(list, { key: 'ArrowUp' })
    expect(document.activeElement!.textContent).toBe('a')
  })
})

test('the search can be cleared', () => {
  render(<SearchField initial="web" />)
  fireEvent.click(screen.getByRole('button', { name: 'Clear search' }))
  expect(box().value).toBe('')
  expect(screen.queryByRole('button', { name: 'Clear search' })).toBeNull()
})

describe('search tips', () => {
  function show(footer?: string) {
    render(
      <SearchTips
        title="Search tips"
        intro="How to search."
        tips={[
          { code: 'cpu>80', description: 'busy ones' },
          { code: 'tags:prod', description: 'by tag' },
        ]}
        {...(footer && { footer })}
      />,
    )
    fireEvent.click(screen.getByRole('button', { name: 'Search tips' }))
    return screen.getByRole('dialog', { name: 'Search tips' })
  }

  test('[spec 1 §2] title, intro, codes with descriptions, footer', () => {
    const dialog = within(show('That is all.'))
    expect(dialog.getByRole('heading', { name: 'Search tips' })).toBeDefined()
    expect(dialog.getByText('How to search.')).toBeDefined()
    expect(dialog.getAllByRole('term').map((term) => term.textContent)).toEqual(['cpu>80', 'tags:prod'])
    expect(dialog.getAllByRole('definition').map((one) => one.textContent)).toEqual(['busy ones', 'by tag'])
    expect(dialog.getByText('That is all.')).toBeDefined()
  })

  test('[spec 1 §2] closes on Escape and on a press outside', async () => {
    show()
    fireEvent.keyDown(document.body, { key: 'Escape' })
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    fireEvent.click(screen.getByRole('button', { name: 'Search tips' }))
    fireEvent.click(document.body)
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})
