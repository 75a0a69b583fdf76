/** How ELF files for 64 bits, little endian, are made; numbers from its specification. */
const at = { class: 4, data: 5, phoff: 32, shoff: 40, phentsize: 54, phnum: 56, shnum: 60, shstrndx: 62 }
const segment = { offset: 8, filesz: 32 }

/**
 * A program without what only debuggers read: the sections behind everything that is loaded, and the table that names
 * them. Takes a quarter off Node, for any processor, without the tools of its platform.
 */
export function withoutSymbols(program) {
  const is64 = program.readUInt32BE(0) === 0x7f454c46 && program[at.class] === 2 && program[at.data] === 1
  if (!is64) throw new Error('not an ELF program for 64 bits, little endian')
  const table = Number(program.readBigUInt64LE(at.phoff))
  const size = program.readUInt16LE(at.phentsize)
  let end = table + size * program.readUInt16LE(at.phnum)
  for (let entry = table; entry < table + size * program.readUInt16LE(at.phnum); entry += size) {
    const offset = Number(program.readBigUInt64LE(entry + segment.offset))
    end = Math.max(end, offset + Number(program.readBigUInt64LE(entry + segment.filesz)))
  }
  const bare = Buffer.from(program.subarray(0, end))
  bare.writeBigUInt64LE(0n, at.shoff)
  bare.writeUInt16LE(0, at.shnum)
  bare.writeUInt16LE(0, at.shstrndx)
  return bare
}
