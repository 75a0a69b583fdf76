// @vitest-environment happy-dom
import { render } from '@testing-library/react'
import { expect, test } from 'vitest'
import { ReleaseNotes } from './release-notes.tsx'

const drawn = (markdown: string) => render(<ReleaseNotes markdown={markdown} />).container

test('headings, lists, emphasis and code are shown as such', () => {
  const notes = drawn('## New\n\n- **faster** lists\n  - of `backups`\n- more\n\nAnd *that*\nis all.')
  expect(notes.querySelector('p.font-medium')?.textContent).toBe('New')
  expect(notes.querySelectorAll('ul')).toHaveLength(2)
  expect([...notes.querySelectorAll('li')].map((item) => item.textContent)).toEqual([
    'faster listsof backups',
    'of backups',
    'more',
  ])
  expect(notes.querySelector('strong')?.textContent).toBe('faster')
  expect(notes.querySelector('code')?.textContent).toBe('backups')
  expect(notes.querySelector('em')?.parentElement?.textContent).toBe('And that is all.')
})

test('empty notes show nothing', () => expect(drawn(' \n').innerHTML).toBe(''))

test.each([
  ['a link', '[click](https://evil.example/)', 'click (https://evil.example/)'],
  ['a link that runs a script', '[click](javascript:alert(1))', '[click](javascript:alert(1))'],
  ['an image', '![x](https://evil.example/pixel.png)', '!x (https://evil.example/pixel.png)'],
  ['HTML', 'a<script>alert(1)</script><img src=x onerror=alert(1)>b', 'ab'],
  ['HTML in a list', '- <a href="javascript:alert(1)">c</a>', 'c'],
])('[S13] %s of a feed is text', (_what, markdown, text) => {
  const notes = drawn(markdown)
  expect(notes.textContent).toBe(text)
  expect(notes.querySelector('a, img, script, iframe, style, [onerror], [href], [src]')).toBeNull()
})

test('notes without end are cut by lines and by characters', () => {
  const [lines, characters] = [drawn('line\n\n'.repeat(10_000)), drawn('a'.repeat(1_000_000))]
  expect(lines.querySelectorAll('p')).toHaveLength(200)
  expect(characters.textContent).toHaveLength(50_000)
})

test.each(['> ', '- ', '[', '**a *', '*a_'])(
  'nested without end, %j neither fails nor fills the page',
  (part) => {
    const notes = drawn(part.repeat(20_000))
    expect(notes.querySelectorAll('*').length).toBeLessThan(50_000)
  },
)
