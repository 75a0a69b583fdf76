// @vitest-environment happy-dom
import { fireEvent } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { Answer, aStatus } from '../fake-settings.tsx'
import {
  custom,
  downloads,
  enter,
  exportCall,
  exporting,
  file,
  freshBrowser,
  isOpen,
  lost,
  off,
  open,
  press,
  show,
  toasts,
  type,
} from '../fake-transfer.tsx'

freshBrowser()

describe('[spec 2 §4] export', () => {
  test.each([
    { who: 'who signed in here', status: aStatus(), modes: ['Login password', 'Custom passphrase'] },
    { who: 'while authentication is off', status: off, modes: [] },
    { who: 'who signed in through a proxy', status: aStatus({ proxyAuthUsername: 'ann' }), modes: [] },
    { who: 'who signed in through single sign-on', status: aStatus({ oidcUsername: 'bob' }), modes: [] },
  ])('$who: $modes', async ({ status, modes }) => {
    await show({}, status)
    await open('Export')
    const offered = exporting().queryAllByRole('radio')
    expect(offered.map((radio) => radio.textContent)).toEqual(modes)
    expect(exporting().queryByLabelText('Passphrase') !== null).toBe(modes.length === 0)
  })

  test('with the login password downloads the answer as a dated file', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-21T23:59:00Z') })
    const { calls } = await show()
    await open('Export')
    type(exporting(), 'Your password', 'my secret')
    await press(exporting(), 'Export')
    expect(calls).toMatchObject([
      { call: exportCall, body: { passphrase: 'my secret', isLoginPassword: true } },
    ])
    expect(calls[0]!.headers).toMatchObject({ 'Content-Type': 'application/json', 'X-CSRF-Token': 'c5rf' })
    expect(downloads.map(({ name }) => name)).toEqual(['pulse-config-2026-11-21.json'])
    expect(JSON.parse(await downloads[0]!.blob.text())).toEqual(file)
    expect(toasts()).toEqual(['success: Configuration exported successfully'])
    expect(isOpen('Export configuration')).toBe(false)
  })

  test('what was wrong with the password leaves with it', async () => {
    await show({ [exportCall]: new Answer(403, { error: 'That is not your password.' }) })
    await open('Export')
    type(exporting(), 'Your password', 'wrong')
    await press(exporting(), 'Export')
    expect(exporting().getByRole('alert').textContent).toBe('That is not your password.')
    fireEvent.click(exporting().getByRole('radio', { name: 'Custom passphrase' }))
    expect(exporting().queryByRole('alert')).toBeNull()
  })

  test('[spec 2 §5] an empty password: Please enter your password', async () => {
    const { calls } = await show()
    await open('Export')
    await press(exporting(), 'Export')
    expect(exporting().getByText('Please enter your password')).toBeDefined()
    expect(calls).toEqual([])
  })

  test('[spec 2 §5] a passphrase needs 12 characters', async () => {
    const { calls } = await show()
    await open('Export')
    await custom()
    const button = () => exporting().getByRole<HTMLButtonElement>('button', { name: 'Export' })
    expect(button().disabled).toBe(true)
    await enter(exporting(), 'Passphrase')
    expect(exporting().getByText('Please enter a passphrase')).toBeDefined()
    type(exporting(), 'Passphrase', 'eleven char')
    expect(button().disabled).toBe(true)
    await enter(exporting(), 'Passphrase')
    expect(exporting().getByText('Passphrase must be at least 12 characters')).toBeDefined()
    expect(calls).toEqual([])
    type(exporting(), 'Passphrase', 'twelve chars')
    await press(exporting(), 'Export')
    expect(calls).toEqual([expect.objectContaining({ body: { passphrase: 'twelve chars' } })])
  })

  test.each([
    {
      reply: new Answer(400, { error: 'The passphrase must have more.' }),
      text: 'The passphrase must have more.',
    },
    { reply: new Answer(403, { error: 'Not for viewers' }), text: 'Not for viewers' },
    { reply: new Answer(429, 'Too many requests'), text: 'Too many requests' },
    { reply: new Answer(500), text: 'Export failed' },
    { reply: lost(), text: 'Export failed' },
  ])('[spec 2 §8] a failure reads $text', async ({ reply, text }) => {
    await show({ [exportCall]: reply })
    await open('Export')
    type(exporting(), 'Your password', 'my secret')
    await press(exporting(), 'Export')
    expect(exporting().getByRole('alert').textContent).toBe(text)
    expect([downloads, toasts()]).toEqual([[], []])
  })
})
