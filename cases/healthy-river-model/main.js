// A model of a river: the height of the water in 4,000 sections, step by step, for two seconds.
'use strict';
function makeRiver(n) {
    const height = new Float64Array(n), flow = new Float64Array(n);
    for (let i = 0; i < n; i++) height[i] = 2 + Math.sin(i / 90) * 0.3;
    return { height, flow };
}
function step(river, dt) {
    const { height, flow } = river, n = height.length;
    for (let i = 1; i < n; i++) flow[i] = flow[i] * 0.995 + (height[i - 1] - height[i]) * dt;
    for (let i = 1; i < n - 1; i++) height[i] += (flow[i] - flow[i + 1]) * dt;
}
const river = makeRiver(4000), end = Date.now() + 2000;
let steps = 0;
while (Date.now() < end) for (let k = 0; k < 100; k++, steps++) step(river, 0.1);
console.log(steps, 'steps, highest', Math.max(...river.height).toFixed(3));
