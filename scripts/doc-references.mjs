// Fails when a document names a file, folder, heading or npm script that does not exist.
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { execFileSync } from 'node:child_process'
import { root } from './pinned-node.mjs'

const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.md'], { cwd: root })
const documents = String(listed).trim().split('\n').filter(Boolean)
const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
const tops = ['apps', 'packages', 'e2e', 'bench', 'deploy', 'docs', 'scripts', '.ci']
const problems = []

/** Anchors of headings in GitHub's form. */
function headingsOf(file) {
  const text = readFileSync(file, 'utf8').replace(/^ *```[^]*?^ *```$/gm, '')
  const found = new Set()
  for (const [, heading] of text.matchAll(/^#+ (.+)$/gm)) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const address = words
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(/\s/g, '-')
    for (let n = 0; ; n++) {
      const one = n === 0 ? address : `${address}-${n}`
      if (found.has(one)) continue
      found.add(one)
      break
    }
  }
  return found
}

for (const document of documents) {
  const file = path.join(root, document)
  if (!existsSync(file)) continue
  const text = readFileSync(file, 'utf8')
  for (const [, target, heading] of text.matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)]*))?\)/g)) {
    const targetPath = target === '' ? file : path.resolve(path.dirname(file), target)
    if (!existsSync(targetPath)) problems.push(`${document}: link to ${target}`)
    else if (heading && targetPath.endsWith('.md') && !headingsOf(targetPath).has(heading))
      problems.push(`${document}: link to ${target}#${heading}`)
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
