import { execFileSync } from 'node:child_process'
import fs from 'node:fs'

export const ticksPerSecond = Number(execFileSync('getconf', ['CLK_TCK']))

/** CPU seconds of a process. */
export function cpuSeconds(pid: number): number {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

/** CPU seconds of a process and of its children, with those that have ended. */
function familyCpuSeconds(pid: number): number {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const own = [11, 12, 13, 14].reduce((sum, n) => sum + Number(fields[n]), 0) / ticksPerSecond
  const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
  return children.reduce((sum, child) => sum + cpuSeconds(Number(child)), own)
}

/** CPU over a period of a server that may start processes. */
export function watchFamily(pid: number): { end(): number } {
  const from = { at: performance.now(), cpu: familyCpuSeconds(pid) }
  return {
    end: () => ((familyCpuSeconds(pid) - from.cpu) * 100_000) / (performance.now() - from.at),
  }
}

export function rssMB(pid: number): number {
  return kilobytes(pid, 'VmRSS')
}

/** Peak memory of a process. */
export function peakRssMB(pid: number): number {
  return kilobytes(pid, 'VmHWM')
}

function kilobytes(pid: number, name: string): number {
  const line = new RegExp(`${name}:\\s+(\\d+) kB`).exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))
  return (Number(line![1]) * 1024) / 1e6
}

/** Bytes that a process wrote to disk. */
export function writtenBytes(pid: number): number {
  return Number(/write_bytes: (\d+)/.exec(fs.readFileSync(`/proc/${pid}/io`, 'utf8'))![1])
}

/** CPU over a period, and its peak memory: a single sample may fall between two polls. */
export function watchProcess(pid: number): { end(): { cpuPercent: number; rssMB: number } } {
  const from = { at: performance.now(), cpu: cpuSeconds(pid) }
  let most = rssMB(pid)
  const looks = setInterval(() => (most = Math.max(most, rssMB(pid))), 500)
  return {
    end() {
      clearInterval(looks)
      const seconds = (performance.now() - from.at) / 1000
      return {
        cpuPercent: ((cpuSeconds(pid) - from.cpu) / seconds) * 100,
        rssMB: Math.max(most, rssMB(pid)),
      }
    },
  }
}
