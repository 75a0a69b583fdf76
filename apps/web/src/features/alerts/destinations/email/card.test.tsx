// @vitest-environment happy-dom
import { emailDefaults } from '@pulse/contract'
import { act } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { click, toasts } from '../../fake-alerts.tsx'
import {
  aLog,
  card,
  choose,
  deliveriesCall,
  emailCall,
  fill,
  press,
  refusal,
  saveEmailCall,
  showDestinations,
  testCall,
  destinationsAlone,
  field,
  button,
} from '../fixtures.tsx'

const enabled = { ...emailDefaults, enabled: true, server: 'mail.lan', from: 'pulse@mail.lan', port: 465 }

destinationsAlone()

describe('email', () => {
  test('[spec 3 §9] as it left the factory', async () => {
    await showDestinations()
    const shown = (label: string) => field('Email', label).value
    expect(card('Email').getByText('Disabled')).toBeDefined()
    expect(['Port', 'Retries', 'Retry delay', 'Rate limit'].map(shown)).toEqual(['587', '3', '5', '60'])
    expect(
      ['SMTP server', 'Username', 'Password', 'From address', 'Reply-to address', 'Recipients'].map(shown),
    ).toEqual(Array(6).fill(''))
    expect(card('Email').getByRole('radio', { checked: true }).textContent).toBe('TLS')
  })

  test.each([
    ['Port', '0', '1'],
    ['Port', '70000', '65535'],
    ['Port', 'smtp', '587'],
    ['Retries', '9', '5'],
    ['Retries', '-1', '0'],
    ['Retry delay', '0', '1'],
    ['Retry delay', '61', '60'],
    ['Rate limit', '0', '1'],
    ['Retry delay', 'soon', '5'],
  ])('[spec 3 §5] %s: %s becomes %s', async (label, typed, value) => {
    await showDestinations({ [emailCall]: { ...enabled, port: 465 } })
    await fill(field('Email', label), typed)
    expect(field('Email', label).value).toBe(value)
  })

  test('TLS and STARTTLS exclude one another; neither says what that means', async () => {
    await showDestinations()
    const radio = (options: object) => card('Email').getAllByRole('radio', options)
    await press(radio({ name: 'STARTTLS' })[0]!)
    expect(radio({ checked: true }).map(({ textContent }) => textContent)).toEqual(['STARTTLS'])
    await press(radio({ name: 'None' })[0]!)
    expect(card('Email').getByText(/are sent unencrypted/)).toBeDefined()
  })

  test('[spec 3 §3] a provider fills in the server, and says how to get an account', async () => {
    await showDestinations()
    await choose(card('Email').getByRole('combobox', { name: 'Provider' }), 'SendGrid')
    expect([field('Email', 'SMTP server').value, field('Email', 'Username').value]).toEqual([
      'smtp.sendgrid.net',
      'apikey',
    ])
    expect(card('Email').getByRole('radio', { checked: true }).textContent).toBe('STARTTLS')
    expect(card('Email').getByText('Use an API key as the password.')).toBeDefined()
  })

  test('providers that cannot be loaded can be asked for again', async () => {
    const call = 'GET /api/notifications/email-providers'
    const view = await showDestinations({ [call]: 500 })
    expect(card('Email').getByText('Failed to load the providers')).toBeDefined()
    view.answers[call] = []
    await press(button('Email', 'Retry'))
    await view.settled()
    expect(card('Email').queryByText('Failed to load the providers')).toBeNull()
  })

  test('the password is never shown, stays when left blank, and is asked for again with the reason', async () => {
    await showDestinations({ [emailCall]: { ...enabled, hasPassword: true } })
    const password = field('Email', 'Password')
    expect([password.type, password.value, password.placeholder]).toEqual(['password', '', '••••••••'])
    expect(card('Email').getByText('Leave blank to keep the saved one.')).toBeDefined()
    await fill(field('Email', 'SMTP server'), 'other.lan')
    expect(password.placeholder).toBe('')
    expect(
      card('Email').getByText(/server, port or encryption changed, and Pulse never sends a saved password/),
    ).toBeDefined()
  })

  test('the stored password can be removed', async () => {
    const view = await showDestinations({ [emailCall]: { ...enabled, hasPassword: true } })
    await press(card('Email').getByLabelText('Remove the stored password'))
    expect(field('Email', 'Password').disabled).toBe(true)
    await click('Save Changes')
    await view.settled()
    expect(view.asked(saveEmailCall)[0]!.body).toMatchObject({ password: '', clearPassword: true })
  })

  test('[spec 3 §5] the test waits for email to be enabled, and for the one under way', async () => {
    let answer: (reply: unknown) => void = () => {}
    const view = await showDestinations({
      [testCall]: () => new Promise((resolve) => (answer = resolve)),
    })
    expect(button('Email', 'Send Test Email').disabled).toBe(true)
    await press(card('Email').getByRole('switch', { name: 'Email' }))
    await fill(field('Email', 'SMTP server'), 'mail.lan')
    await press(button('Email', 'Send Test Email'))
    expect(button('Email', 'Sending...').disabled).toBe(true)
    expect(view.asked(testCall)).toMatchObject([
      { body: { type: 'email', config: { enabled: true, server: 'mail.lan', password: '' } } },
    ])
    await act(async () => answer({ status: 'success', message: '' }))
    await view.settled()
    expect(button('Email', 'Send Test Email').disabled).toBe(false)
    expect(toasts()).toEqual(['success: Test email sent successfully! Check your inbox.'])
  })

  test.each([
    [
      'the reason of the server',
      () => refusal('mail.lan:465 refused the password'),
      'mail.lan:465 refused the password',
    ],
    ['ours', () => 500, 'Unknown error'],
  ])('[spec 3 §8] a test that fails says why: %s', async (_case, reply, reason) => {
    const view = await showDestinations({ [emailCall]: enabled, [testCall]: reply })
    await press(button('Email', 'Send Test Email'))
    await view.settled()
    expect(toasts()).toEqual([`error: Failed to send test email: ${reason}`])
  })

  test('while it fails that is the loudest thing of the card', async () => {
    const channel = { id: 'email', kind: 'email' as const, name: 'Email', enabled: true, waiting: 2 }
    await showDestinations({
      [emailCall]: enabled,
      [deliveriesCall]: aLog({
        channels: [
          { ...channel, failingSince: '2026-03-01T10:00:00Z', lastError: 'mail.lan does not answer' },
        ],
      }),
    })
    expect(card('Email').getByText(/^Failing since /)).toBeDefined()
    expect(card('Email').getByText('mail.lan does not answer')).toBeDefined()
    expect(card('Email').getByText(/2 queued/)).toBeDefined()
  })
})
