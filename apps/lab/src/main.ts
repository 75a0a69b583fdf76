import { parseFlags, usage } from './flags.ts'
import { startLab } from './lab.ts'
import type { Lab } from './lab.ts'
import { isAddressInUse } from './loopback.ts'
import { OptionError } from './options.ts'

/** Reads the flags, starts the lab, and exits with its parent process. */
async function main(): Promise<void> {
  const { options, play, json, help } = parseFlags(process.argv.slice(2))
  if (help) {
    console.log(usage)
    return
  }
  const lab = await startLab(options)
  for (const scenario of play) await lab.control.play(scenario)
  const parent = process.channel !== undefined && process.channel !== null
  const { clusters, pbs, pmg, docker, credentials, controlUrl } = lab
  const everything = { clusters, pbs, pmg, docker, credentials, controlUrl }
  if (json || parent) console.log(JSON.stringify(everything))
  else console.log(describe(lab))
  if (parent) process.send?.(everything)
  endWith(lab)
}

function describe(lab: Lab): string {
  const lines = lab.clusters.flatMap((cluster) => [
    `${cluster.standalone ? 'host' : 'cluster'} ${cluster.name}, PVE ${cluster.version}`,
    ...cluster.nodes.map(
      ({ name, url, fingerprint, guests }) => `  ${name}  ${url}  ${guests} guests  ${fingerprint}`,
    ),
  ])
  const appliances = [
    ...lab.pbs.map((one) => ({ ...one, product: 'PBS' })),
    ...lab.pmg.map((one) => ({ ...one, product: 'PMG' })),
  ].map(
    ({ product, name, version, url, fingerprint, credentials: { user, password } }) =>
      `${name}, ${product} ${version}  ${url}  login ${user} ${password}  ${fingerprint}`,
  )
  const dockerHosts = lab.docker.map(
    ({ name, agent, containers, agentId }) =>
      `${name}, container host, ${agent} agent  ${containers} containers  ${agentId}`,
  )
  const { tokenId, tokenSecret, user, password } = lab.credentials
  return [
    ...lines,
    ...appliances,
    ...dockerHosts,
    `token ${tokenId}=${tokenSecret}`,
    `login ${user} ${password}`,
    `control ${lab.controlUrl}`,
  ].join('\n')
}

function endWith(lab: Lab): void {
  let ending = false
  const end = () => {
    if (ending) return
    ending = true
    // The channel to a parent would keep the process alive.
    if (process.connected) process.disconnect?.()
    lab.close().catch((error: unknown) => {
      console.error(error)
      process.exitCode = 1
    })
  }
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  process.once('disconnect', end)
}

main().catch((error: unknown) => {
  process.exitCode = error instanceof OptionError ? 2 : 1
  if (error instanceof OptionError) console.error(`${error.message}\n\n${usage}`)
  else if (isAddressInUse(error)) console.error(error.message)
  else console.error(error)
})
