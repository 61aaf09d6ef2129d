import { readFileSync } from 'node:fs';

const msPerTick = 10;

/** The CPU that a process and its children, ended ones too, have used so far, in milliseconds. Linux only. */
export function cpuOf(pid) {
  const ticks = fieldsOf(pid).slice(11, 15);
  const ended = ticks.reduce((sum, field) => sum + Number(field), 0) * msPerTick;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  const alive = children === '' ? [] : children.split(' ').map(cpuOf);
  return alive.reduce((sum, ms) => sum + ms, ended);
}

/** What follows the program's name in brackets, which may hold anything. */
function fieldsOf(pid) {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}
