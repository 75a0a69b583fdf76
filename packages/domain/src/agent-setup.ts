import { commandLine } from './shell.ts'
import { withoutTail } from './text.ts'

/** The server address and token of an agent. */
export interface AgentSetup {
  /** address of this server, as the agent's host reaches it */
  pulseUrl: string
  token: string
}

/** ms between two reports; the agent's settings can change it */
export const agentIntervalSeconds = 30

/**
 * What an administrator runs on a container host, as root. Every value is quoted for a shell; the token is a variable:
 * every user of the host can read arguments in the list of processes.
 */
export function agentInstallCommand({ pulseUrl, token }: AgentSetup): string {
  const url = withoutTail(pulseUrl, '/')
  const words = ['--url', url, '--interval', `${agentIntervalSeconds}s`]
  return runScript(url, words, `PULSE_TOKEN=${commandLine([token])} `)
}

/** Uninstalls the agent. */
export const agentUninstallCommand = (pulseUrl: string): string =>
  runScript(withoutTail(pulseUrl, '/'), ['--uninstall'])

const runScript = (url: string, words: readonly string[], variables = '') =>
  `${commandLine(['curl', '-fsSL', `${url}/install-docker-agent.sh`])} | ${variables}${commandLine(['sh', '-s', '--', ...words])}`
