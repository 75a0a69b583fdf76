// @vitest-environment happy-dom
import { appriseDefaults, emailDefaults } from '@pulse/contract'
import { act, cleanup, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { click, saveCall, toasts } from '../fake-alerts.tsx'
import {
  aLog,
  appriseCall,
  card,
  choose,
  deliveriesCall,
  emailCall,
  fill,
  hostsCall,
  press,
  refusal,
  saveAppriseCall,
  saveEmailCall,
  saveHostsCall,
  showDestinations,
  testCall,
  webhooksCall,
} from './given.tsx'

const enabled = { ...emailDefaults, enabled: true, server: 'mail.lan', from: 'pulse@mail.lan', port: 465 }
const field = (name: string, label: string | RegExp) => card(name).getByLabelText<HTMLInputElement>(label)
const button = (name: string, label: string) =>
  card(name).getByRole<HTMLButtonElement>('button', { name: label })
const isUnsaved = () => screen.queryByText('You have unsaved changes') !== null

beforeEach(() => {
  localStorage.clear()
  toasts()
  vi.stubGlobal('scrollTo', () => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

describe('[spec 3 §2] the page', () => {
  test('has three cards, the log, and the hosts that may be called', async () => {
    await showDestinations()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Notification Destinations')
    const [, , ...titles] = screen.getAllByRole('heading', { level: 2 })
    expect(titles.map(({ textContent }) => textContent)).toEqual([
      'Email',
      'Apprise',
      'Webhooks',
      'No webhooks yet',
      'Delivery log',
      'Nothing sent yet',
      'Allowed hosts',
    ])
    expect(card('Webhooks').getByText('0 configured')).toBeDefined()
  })

  test('who is no administrator reads why there is nothing to see, and nothing is asked', async () => {
    const view = await showDestinations({}, { role: 'viewer' })
    expect(
      screen.getByText('You need administrator access to see and change where alerts are sent.'),
    ).toBeDefined()
    expect(view.calls.filter(({ call }) => call.includes('/notifications/'))).toEqual([])
  })

  test.each([
    [emailCall, 'the email settings'],
    [appriseCall, 'the Apprise settings'],
    [webhooksCall, 'the webhooks'],
    [deliveriesCall, 'the delivery log'],
    [hostsCall, 'the allowed hosts'],
  ])('[spec 3 §8] %s that fails is told in its place, and asked again', async (call, what) => {
    const view = await showDestinations({ [call]: refusal('the disk is full', {}, 500) })
    const failed = screen.getByText(`Failed to load ${what}`).closest('section')!
    expect(failed.textContent).toContain('the disk is full')
    const before = view.asked(call).length
    await press(card(failed.querySelector('h2')!.textContent).getByRole('button', { name: 'Retry' }))
    await view.settled()
    expect(view.asked(call)).toHaveLength(before + 1)
  })

  test('[spec 3 §7] email and Apprise are read again whenever it is shown', async () => {
    const view = await showDestinations({ [emailCall]: enabled })
    await act(async () => view.router.go('/alerts/overview'))
    view.answers[emailCall] = { ...enabled, server: 'new.lan' }
    await act(async () => view.router.go('/alerts/destinations'))
    await view.settled()
    expect([view.asked(emailCall).length, view.asked(appriseCall).length]).toEqual([2, 2])
    expect(field('Email', 'SMTP server').value).toBe('new.lan')
  })
})

describe('[spec 3 §4] saving', () => {
  test('sends what was edited, wherever it was, and nothing else', async () => {
    const view = await showDestinations()
    await press(card('Email').getByRole('switch'))
    await fill(field('Email', 'SMTP server'), ' mail.lan ')
    await fill(field('Email', 'From address'), 'pulse@mail.lan')
    await fill(field('Email', 'Recipients'), 'a@mail.lan\n\n b@mail.lan')
    await press(screen.getByRole('switch', { name: 'Send all-clears' }))
    expect(isUnsaved()).toBe(true)
    await click('Save Changes')
    await view.settled()
    const { hasPassword: _has, ...defaults } = emailDefaults
    expect(view.asked(saveEmailCall).map(({ body }) => body)).toEqual([
      {
        ...defaults,
        enabled: true,
        server: 'mail.lan',
        from: 'pulse@mail.lan',
        to: ['a@mail.lan', 'b@mail.lan'],
      },
    ])
    expect(view.asked(saveCall).map(({ body }) => body)).toMatchObject([
      { schedule: { notifyOnResolve: false } },
    ])
    expect([view.asked(saveAppriseCall), view.asked(saveHostsCall)]).toEqual([[], []])
    expect([isUnsaved(), toasts()]).toEqual([false, ['success: Configuration saved successfully!']])
  })

  test('an edit that brings back what is stored is none', async () => {
    await showDestinations({ [emailCall]: enabled })
    await fill(field('Email', 'SMTP server'), 'other.lan')
    expect(isUnsaved()).toBe(true)
    await fill(field('Email', 'SMTP server'), 'mail.lan')
    expect(isUnsaved()).toBe(false)
  })

  test('edits outlive a visit to another page, and can be saved there', async () => {
    const view = await showDestinations({ [emailCall]: enabled })
    await fill(field('Email', 'SMTP server'), 'other.lan')
    await act(async () => view.router.go('/alerts/schedule'))
    await click('Save Changes')
    await view.settled()
    expect(view.asked(saveEmailCall)[0]!.body).toMatchObject({ server: 'other.lan' })
  })

  test('what is missing keeps it, is said at the field and named for who is elsewhere', async () => {
    const view = await showDestinations()
    await press(card('Email').getByRole('switch'))
    await click('Save Changes')
    await view.settled()
    expect(view.asked(saveEmailCall)).toEqual([])
    expect(card('Email').getByText('SMTP server is required')).toBeDefined()
    expect(field('Email', 'SMTP server').getAttribute('aria-invalid')).toBe('true')
    expect([isUnsaved(), toasts()]).toEqual([true, ['error: Email: SMTP server is required']])
    await fill(field('Email', 'SMTP server'), 'mail.lan')
    expect(card('Email').queryByText('SMTP server is required')).toBeNull()
    expect(card('Email').getByText('From address is required')).toBeDefined()
  })

  test('what the server objects to stands at the field; the other parts are saved', async () => {
    const view = await showDestinations({
      [emailCall]: { ...enabled, hasPassword: true },
      [saveEmailCall]: () =>
        refusal('The password is needed again.', { details: { password: 'Again, please.' } }),
    })
    await fill(field('Email', 'SMTP server'), 'other.lan')
    await fill(field('Allowed hosts', 'Hosts'), 'localhost:25\n\nlocalhost:25')
    await click('Save Changes')
    await view.settled()
    expect(view.asked(saveHostsCall).map(({ body }) => body)).toEqual([{ allowedHosts: ['localhost:25'] }])
    expect(card('Email').getByText('Again, please.')).toBeDefined()
    expect([isUnsaved(), toasts()]).toEqual([true, ['error: The password is needed again.']])
  })

  test('a failure without words has ours', async () => {
    const view = await showDestinations({ [emailCall]: enabled, [saveEmailCall]: 500 })
    await fill(field('Email', 'Username'), 'ann')
    await click('Save Changes')
    await view.settled()
    expect(toasts()).toEqual(['error: Failed to save configuration'])
  })

  test('discarding reads what is stored anew', async () => {
    const view = await showDestinations({ [emailCall]: enabled })
    await fill(field('Email', 'SMTP server'), 'other.lan')
    view.answers[emailCall] = { ...enabled, server: 'third.lan' }
    await click('Discard')
    await view.settled()
    expect(field('Email', 'SMTP server').value).toBe('third.lan')
    expect([isUnsaved(), toasts()]).toEqual([false, ['success: Changes discarded']])
  })

  test('when that fails the edits stay', async () => {
    const view = await showDestinations({ [emailCall]: enabled })
    await fill(field('Email', 'SMTP server'), 'other.lan')
    view.answers[emailCall] = 500
    await click('Discard')
    await view.settled()
    expect([isUnsaved(), toasts()]).toEqual([true, ['error: Failed to reload configuration']])
  })
})

describe('email', () => {
  test('[spec 3 §9] as it left the factory', async () => {
    await showDestinations()
    const shown = (label: string) => field('Email', label).value
    expect(card('Email').getByText('Disabled')).toBeDefined()
    expect(['Port', 'Retries', 'Retry delay', 'Rate limit'].map(shown)).toEqual(['587', '3', '5', '60'])
    expect(
      ['SMTP server', 'Username', 'Password', 'From address', 'Reply-to address', 'Recipients'].map(shown),
    ).toEqual(Array(6).fill(''))
    expect(card('Email').getByRole<HTMLInputElement>('radio', { name: 'TLS' }).checked).toBe(true)
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
    const radio = (name: string) => card('Email').getByRole<HTMLInputElement>('radio', { name })
    await press(radio('STARTTLS'))
    expect([radio('TLS').checked, radio('STARTTLS').checked]).toEqual([false, true])
    await press(radio('None'))
    expect(card('Email').getByText(/travel in the clear/)).toBeDefined()
  })

  test('[spec 3 §3] a provider fills in the server, and says how to get an account', async () => {
    await showDestinations()
    await choose(card('Email').getByRole('combobox', { name: 'Provider' }), 'SendGrid')
    expect([field('Email', 'SMTP server').value, field('Email', 'Username').value]).toEqual([
      'smtp.sendgrid.net',
      'apikey',
    ])
    expect(card('Email').getByRole<HTMLInputElement>('radio', { name: 'STARTTLS' }).checked).toBe(true)
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
    expect(card('Email').getByText('Leave blank to keep the stored one.')).toBeDefined()
    await fill(field('Email', 'SMTP server'), 'other.lan')
    expect(password.placeholder).toBe('')
    expect(
      card('Email').getByText(
        /server, port or encryption have changed, and a stored password only goes where/,
      ),
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
    await press(card('Email').getByRole('switch'))
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
    expect(card('Email').getByText(/2 messages wait/)).toBeDefined()
  })
})

describe('Apprise', () => {
  test('[spec 3 §9] as it left the factory, with the truth about what is run', async () => {
    await showDestinations()
    expect([field('Apprise', 'CLI path').value, field('Apprise', 'Timeout').value]).toEqual(['apprise', '15'])
    expect(card('Apprise').getByText('Disabled')).toBeDefined()
    expect(card('Apprise').getByText(/the program that runs is never taken from this page/)).toBeDefined()
  })

  test.each([
    ['4', '5'],
    ['121', '120'],
    ['long', '15'],
    ['', '15'],
    ['60', '60'],
  ])('[spec 3 §5] a timeout of %s is %s', async (typed, value) => {
    await showDestinations({ [appriseCall]: { ...appriseDefaults, timeoutSeconds: 30 } })
    await fill(field('Apprise', 'Timeout'), typed)
    expect(field('Apprise', 'Timeout').value).toBe(value)
  })

  test('[spec 3 §5] targets are saved without empties and duplicates; the answer refreshes the form', async () => {
    const view = await showDestinations({
      [saveAppriseCall]: { ...appriseDefaults, enabled: true, targets: ['discord://1/********'] },
    })
    await press(card('Apprise').getByRole('switch'))
    await fill(field('Apprise', 'Delivery targets'), ' discord://1/token,\ndiscord://1/token')
    await click('Save Changes')
    await view.settled()
    expect(view.asked(saveAppriseCall)[0]!.body).toMatchObject({
      enabled: true,
      targets: ['discord://1/token'],
    })
    expect(field('Apprise', 'Delivery targets').value).toBe('discord://1/********')
    expect(isUnsaved()).toBe(false)
  })

  test('without a target it is not saved as enabled in silence', async () => {
    const view = await showDestinations()
    await press(card('Apprise').getByRole('switch'))
    await click('Save Changes')
    await view.settled()
    expect(view.asked(saveAppriseCall)).toEqual([])
    expect(toasts()).toEqual(['error: Apprise: Enter at least one delivery target'])
  })

  test('a server has an address, a key that is asked for again, and a header for it', async () => {
    await showDestinations({
      [appriseCall]: {
        ...appriseDefaults,
        mode: 'http',
        serverUrl: 'https://apprise.lan',
        hasApiKey: true,
        targets: ['discord://1/********'],
      },
    })
    expect(card('Apprise').queryByLabelText('CLI path')).toBeNull()
    expect(field('Apprise', 'API key header').value).toBe('X-API-KEY')
    expect(field('Apprise', 'API key').placeholder).toBe('••••••••')
    await fill(field('Apprise', 'Server address'), 'https://other.lan')
    expect(card('Apprise').getByText(/the server has changed, and a stored key only goes/)).toBeDefined()
    expect(card('Apprise').getByText(/hidden parts .* have to be entered again/)).toBeDefined()
  })

  test('the test waits for it to be enabled and says what became of it', async () => {
    const view = await showDestinations()
    expect(button('Apprise', 'Send Test Notification').disabled).toBe(true)
    await press(card('Apprise').getByRole('switch'))
    await fill(field('Apprise', 'Delivery targets'), 'discord://1/token')
    await press(button('Apprise', 'Send Test Notification'))
    await view.settled()
    expect(view.asked(testCall)).toMatchObject([
      { body: { type: 'apprise', config: { targets: ['discord://1/token'] } } },
    ])
    view.answers[testCall] = () => refusal('apprise was not found')
    await press(button('Apprise', 'Send Test Notification'))
    await view.settled()
    expect(toasts()).toEqual([
      'success: Test notification sent through Apprise!',
      'error: Failed to send test notification through Apprise: apprise was not found',
    ])
  })
})
