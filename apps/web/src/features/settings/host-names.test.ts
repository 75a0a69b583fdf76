import { expect, test } from 'vitest'
import { namesText } from './host-names.ts'

test.each([
  { names: ['a'], most: 2, text: 'a' },
  { names: ['a', 'b'], most: 2, text: 'a, b' },
  { names: ['a', 'b', 'c', 'd'], most: 2, text: 'a, b, +2 more' },
  { names: ['a', 'b', 'c', 'd', 'e', 'f', 'g'], most: 5, text: 'a, b, c, d, e, +2 more' },
])('[spec 2 §2] $names.length names, at most $most of them, are $text', ({ names, most, text }) => {
  expect(namesText(names, most)).toBe(text)
})
