// Makes the pages of a staff directory: people by number, groups by department, a page for each letter.
'use strict';
const fs = require('fs');
const { performance } = require('perf_hooks');

const PEOPLE = 1000;
let spent = 0;

function loadPeople(office) {
    const people = [];
    for (let n = 0; n < PEOPLE; n++) {
        people.push({
            number: `P${office}-${n * 7919 % 100000}`,
            name: `${'ABCDEFGHIJ'[n % 10]}lex ${n}`,
            department: `D${n % 23}`,
            room: 100 + n * 31 % 400,
        });
    }
    return people;
}

function byNumber(people) {
    return people.reduce((all, person) => ({ ...all, [person.number]: person }), {});
}

function byDepartment(people) {
    const groups = new Map();
    for (const person of people) {
        if (!groups.has(person.department)) groups.set(person.department, []);
        groups.get(person.department).push(person.number);
    }
    return groups;
}

function renderGroup(department, numbers, lookup) {
    const lines = numbers.map((number) => {
        const person = lookup[number];
        return `<li>${person.name}, room ${person.room}</li>`;
    });
    return `<h2>${department}</h2><ul>${lines.sort().join('\n')}</ul>`;
}

function renderOffice(office) {
    const people = loadPeople(office);
    const before = performance.now();
    const lookup = byNumber(people);
    spent += performance.now() - before;
    const parts = [];
    for (const [department, numbers] of byDepartment(people)) {
        parts.push(renderGroup(department, numbers, lookup));
    }
    return parts.join('\n');
}

function main() {
    const start = performance.now();
    let offices = 0;
    while (performance.now() - start < 2100) {
        fs.writeFileSync(`office-${offices % 5}.html`, renderOffice(offices));
        offices++;
    }
    const wall = performance.now() - start;
    const people = loadPeople(0);
    const before = performance.now();
    const direct = Object.fromEntries(people.map((person) => [person.number, person]));
    const once = performance.now() - before;
    fs.writeFileSync('truth', `offices ${offices}\nby_number ${spent / wall}\nms_each ${spent / offices}\n`
        + `ms_with_from_entries ${once}\nkeys ${Object.keys(direct).length}\n`);
}

main();
