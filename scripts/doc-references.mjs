// Fails when a document names a file, folder or npm script that does not exist.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { execFileSync } from 'node:child_process'
import { root } from './pinned-node.mjs'

const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], { cwd: root })
const documents = String(listed).trim().split('\n').filter(Boolean)
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
const tops = ['apps', 'packages', 'e2e', 'bench', 'deploy', 'docs', 'scripts', '.ci']
const problems = []

for (const document of documents) {
  const file = path.join(root, document)
  if (!existsSync(file)) continue
  const text = readFileSync(file, 'utf8')
  for (const [, target] of text.matchAll(/\]\((?!https?:|mailto:|#)([^)#\s]+)(?:#[^)]*)?\)/g)) {
    if (!existsSync(path.resolve(path.dirname(file), target))) problems.push(`${document}: link to ${target}`)
  }
  for (const [, code] of text.matchAll(/`([^`\n]+)`/g)) {
    const name = code.trim()
    const isPath = tops.includes(name.split('/')[0]) && /^[\w./-]+$/.test(name) && name.includes('/')
    if (isPath && !existsSync(path.join(root, name))) problems.push(`${document}: path ${name}`)
    const script = /^npm (?:run )?([\w:]+)/.exec(name)?.[1]
    const builtIn = ['ci', 'install', 'i', 'exec']
    if (script && !builtIn.includes(script) && !scripts[script])
      problems.push(`${document}: npm script ${script}`)
  }
}

for (const problem of problems) console.log(problem)
if (problems.length > 0) process.exit(1)
