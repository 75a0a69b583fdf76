import { expect, test } from 'vitest'
import { refusalText } from './login-form.tsx'

test.each([
  {
    when: '403 with minutes',
    status: 403,
    body: { message: 'No', remainingMinutes: 14 },
    text: 'Account locked. Please try again in 14 minute(s).',
  },
  {
    when: '403 with one minute',
    status: 403,
    body: { remainingMinutes: 1 },
    text: 'Account locked. Please try again in 1 minute(s).',
  },
  { when: '403 with a message', status: 403, body: { message: 'Demo mode' }, text: 'Demo mode' },
  {
    when: '403 without anything',
    status: 403,
    body: undefined,
    text: 'Account temporarily locked due to too many failed attempts.',
  },
  { when: '429 with a message', status: 429, body: { message: 'Slow down' }, text: 'Slow down' },
  {
    when: '429 without',
    status: 429,
    body: {},
    text: 'Too many requests. Please wait a moment and try again.',
  },
  {
    when: '401 without anything',
    status: 401,
    body: 'no json',
    text: 'Invalid username or password.',
  },
  {
    when: '401 with attempts left',
    status: 401,
    body: { message: 'Invalid username or password.', remaining: 4 },
    text: 'Invalid username or password. (4 attempt(s) remaining)',
  },
  {
    when: '401 with one attempt left, in the words of the server',
    status: 401,
    body: { message: 'Nope.', remaining: 1 },
    text: 'Nope. (1 attempt(s) remaining)',
  },
  {
    when: '401 with none left',
    status: 401,
    body: { remaining: 0 },
    text: 'Invalid username or password.',
  },
  {
    when: '401 that locked',
    status: 401,
    body: { locked: true, remaining: 2 },
    text: 'Invalid username or password. Account is now locked.',
  },
  {
    when: '401 that locked, in the words of the server',
    status: 401,
    body: { locked: true, message: 'Locked for 15 minutes.' },
    text: 'Locked for 15 minutes.',
  },
  { when: '500 with a message', status: 500, body: { message: 'Disk full' }, text: 'Disk full' },
  { when: '500 that only names the error', status: 500, body: { error: 'Disk full' }, text: 'Disk full' },
  { when: '502 of a proxy', status: 502, body: undefined, text: 'Server error. Please try again.' },
  {
    when: '200 that is none',
    status: 200,
    body: { success: false },
    text: 'Server error. Please try again.',
  },
])('[spec 1 §8] login: $when', ({ status, body, text }) => {
  expect(refusalText(status, body)).toBe(text)
})
