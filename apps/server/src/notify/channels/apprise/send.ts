import {
  type Clock,
  clipped,
  listed,
  mailText,
  type Notice,
  oneLine,
  toMessage,
  withoutSecrets,
} from '@pulse/domain'
import type { Outbound } from '../../../outbound/guard.ts'
import { OutboundError } from '../../../outbound/outbound-error.ts'
import type { Outcome, Sender } from '../../channel.ts'
import { failed, responseText, unreachable } from '../outcomes.ts'
import { appriseProblems, nameProblem } from './problems.ts'
import { appriseArguments, runApprise } from './run.ts'
import type { AppriseSettings } from './settings.ts'

export interface AppriseSenderEdges {
  clock: Clock
  outbound: Outbound
  /** absolute path of the program; undefined when this machine has none */
  program: () => string | undefined
}

/** Runs the Apprise program of this machine, or calls an Apprise API server. */
export function createAppriseSender({
  clock,
  outbound,
  program,
}: AppriseSenderEdges): Sender<AppriseSettings> {
  return {
    problems: (settings) => appriseProblems(settings, outbound, program()),
    async send(settings, notice, signal) {
      const problems = Object.values(appriseProblems({ ...settings, enabled: true }, outbound, program()))
      if (problems[0] !== undefined) return failed(problems[0], 'never')
      const { words, named } = wordsOf(notice)
      const outcome =
        settings.mode === 'http'
          ? await overHttp(settings, words, signal)
          : await byProgram(settings, words, signal)
      return withoutTargets(outcome.delivered ? { ...outcome, named } : outcome, settings)
    },
  }

  async function byProgram(settings: AppriseSettings, words: Words, signal: AbortSignal): Promise<Outcome> {
    const refused = await nameProblem(settings.targets, outbound)
    if (refused !== undefined) return failed(refused, 'never')
    const args = appriseArguments(words, settings.targets)
    const bytes = args.reduce((sum, arg) => sum + Buffer.byteLength(arg), 0)
    const { timeoutSeconds } = settings
    const ended = await runApprise(program()!, args, { clock, limitMs: timeoutSeconds * 1000, signal })
    const response = responseText(ended.output)
    if (ended.code === 0) return { delivered: true, bytes, response }
    const last = response === '' ? '' : `: ${clipped(oneLine(response), 300)}`
    if (ended.gaveUp) {
      const reason = `Apprise did not finish within ${timeoutSeconds} s and was stopped. Check the targets, or give it more time.`
      return failed(reason, 'later', { bytes, response })
    }
    if (ended.code === undefined)
      return failed(`Apprise could not be run${last}.`, 'later', { bytes, response })
    return failed(`Apprise could not notify every target${last}. Check the targets.`, 'later', {
      bytes,
      response,
    })
  }

  async function overHttp(settings: AppriseSettings, words: Words, signal: AbortSignal): Promise<Outcome> {
    const { serverUrl, configKey, targets, apiKey, apiKeyHeader, timeoutSeconds, skipTlsVerify } = settings
    const url = `${serverUrl.replace(/\/$/, '')}/notify/${encodeURIComponent(configKey)}`
    const body = JSON.stringify({
      ...words,
      format: 'text',
      ...(configKey === '' && { urls: targets.join(',') }),
    })
    const key = apiKey.reveal()
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'Pulse',
      ...(key && { [apiKeyHeader]: key }),
    }
    const bytes = Buffer.byteLength(body)
    try {
      const call = {
        url,
        method: 'POST',
        headers,
        body,
        limitMs: timeoutSeconds * 1000,
        anyCertificate: skipTlsVerify,
      }
      const answer = await outbound.call(call, signal)
      return serverOutcome(answer.status, responseText(answer.body.toString()), bytes)
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error
      return unreachable(error, 'Check the address of the Apprise server.')
    }
  }
}

interface Words {
  title: string
  body: string
  type: 'info' | 'success' | 'warning' | 'failure'
}

const maxBody = 16_000

function wordsOf(notice: Notice): { words: Words; named: number } {
  const message = toMessage(notice)
  const type = message.isTest
    ? 'info'
    : ({ critical: 'failure', warning: 'warning', resolved: 'success' } as const)[message.tone]
  const isOne = notice.alerts.length === 1
  const list = listed(message, (text) => text, maxBody)
  const body = isOne ? mailText(notice).text : list.text
  return { words: { title: message.title, body: clipped(body, maxBody), type }, named: list.names }
}

function serverOutcome(status: number, response: string, bytes: number): Outcome {
  const more = { status, response, bytes }
  if (status === 204) {
    return failed(
      'The Apprise server has no configuration with that key, so no notification was sent. Check the key.',
      'never',
      more,
    )
  }
  if (status >= 200 && status < 300) return { delivered: true, ...more }
  const said = response === '' ? '' : `: ${clipped(oneLine(response), 300)}`
  if (status === 424) return failed(`The Apprise server could not notify every target${said}.`, 'later', more)
  if (status === 401 || status === 403)
    return failed(`The Apprise server did not accept the API key (${status}).`, 'never', more)
  return failed(
    `The Apprise server answered ${status}${said}.`,
    status === 429 || status >= 500 ? 'later' : 'never',
    more,
  )
}

/** The output of Apprise names targets, which hold tokens. */
function withoutTargets(outcome: Outcome, { targets, apiKey }: AppriseSettings): Outcome {
  const parts = targets.flatMap((target) => [
    target,
    ...target.split(/[/:@?&=,]/).filter((part) => part.length >= 6),
  ])
  const safe = (text: string) => withoutSecrets(text, [...parts, apiKey.reveal()])
  const response = outcome.response === undefined ? {} : { response: safe(outcome.response) }
  return outcome.delivered
    ? { ...outcome, ...response }
    : { ...outcome, ...response, reason: safe(outcome.reason) }
}
