//! What is said about CPU time that the recording itself used.

use whyslow_model::Table;
use whyslow_model::tables::FactRow;

use super::*;

#[test]
fn the_recorder_is_no_rival_of_what_it_records() {
    let answer = |[recorder_ms, other_ms]: [i64; 2]| {
        let mut trace = Literal::new(1000);
        let (recorder, recording) = process(&mut trace, "whyslow", 90, None, (0, 1000));
        let (_, main) = process(&mut trace, "app", 100, Some(recorder), (0, 1000));
        let (_, other) = process(&mut trace, "greedy", 200, None, (0, 1000));
        trace.stack("loop", "step < main");
        trace.play(main, "R100 P700:loop R200");
        let run = |ms: i64| format!("W100 R{ms} W{}", 900 - ms);
        trace.play(recording, &run(recorder_ms));
        trace.play(other, &run(other_ms));
        trace.ready_was(main, [700, 0, 0]);
        trace.tables.push(Table::from_rows([FactRow {
            subject: String::new(),
            key: "recorder_pid".to_owned(),
            value: "90".to_owned(),
        }]));
        explain_pid(&trace, 100)
    };
    let beside = answer([140, 700]);
    let told = [
        "other programs used the CPUs: 70 % of the time",
        "CPU time meanwhile: greedy 83 %, this recording 17 %.",
    ];
    says(&beside, &told);
    let both = answer([400, 700]);
    says(
        &both,
        &["other programs and this recording used the CPUs: 70 % of the time"],
    );
    let alone = answer([700, 100]);
    assert!(!alone.contains("whyslow 8"), "{alone}");
    assert!(!alone.contains("other programs"), "{alone}");
}
