"""How 22/96/M is read where it is silent or ambiguous."""

from typing import Final

from regulations.law.readings import Reading

READINGS: Final[tuple[Reading, ...]] = (
    Reading(
        id="T2",
        says="Points are the sum of the three cards modulo ten, also where the sum is exactly 10 or 20.",
        doubt=(
            "5.º-2 takes 10 or 20 off a sum that is greater («superior a dez (10) ou vinte (20)»), and says nothing "
            "of a sum of just ten or twenty; the highest points are nine."
        ),
        why=(
            "A combination of ten points does not exist in the annex, whose list ends with zero; the figures and tens "
            "being worth nothing, ten is zero as in all games of this family."
        ),
        example="7, 2 and ace make 0 points, combination 31.",
    ),
    Reading(
        id="T3",
        says="A ten is worth nothing and is no figure: «zero com duas figuras» is two figures and a ten.",
        doubt=(
            "5.º-1 names «as figuras e as cartas de valor facial dez» together as worth zero, and the annex lists "
            "«zero com duas figuras (duas figuras + 0)»."
        ),
        why="The annex says what figures are: «Rei, Dama e Valete». Nothing but a ten can be the 0 beside two of them.",
        example="K, Q and ten: combination 29, not 1.",
    ),
    Reading(
        id="T4",
        says=(
            "Three figures of the banker do not win `points_0`; with `three_figures_win_zero_points` they do, and "
            "`three_figures` wins too."
        ),
        doubt=(
            "By 5.º-1 figures are worth zero points; 8.º-2 has wagers on three figures and on the number of points, "
            "0 to 9, side by side."
        ),
        why=(
            "The annex lists three figures apart from, and above, all combinations with points; 8.º-1 treats them as "
            "neither odd nor even, though zero is even."
        ),
        example="Banker K, K, J and 100 on `points_0`: lost; with the option 800 are won.",
    ),
    Reading(
        id="T5",
        says=(
            "A `main` on a hand equal to the banker's is carried: it stays on the table for the next round of its "
            "seat, across a shuffle, cannot be withdrawn and may be raised. The table's closing returns it. A void "
            "round returns the raise alone."
        ),
        doubt=(
            "7.º-2 lets the first wagers be raised but not withdrawn, «aguardando o resultado da próxima jogada», and "
            "does not say what happens when the next round is void, belongs to another shoe game, or never comes."
        ),
        why=(
            "The next round is the next one that has a result; the text speaks of no shoe game. A stake that no "
            "round can decide any more is the bettor's own."
        ),
        example="100 tied, raised by 50, the next round won: settled on 150, +142 after 5 % (142.5 rounded half-even).",
    ),
    Reading(
        id="T6",
        says="`odd` and `even` are carried in the same way when the banker has three figures.",
        doubt=(
            "8.º-1 calls this a tie, forbids to withdraw the first wagers and accepts new ones; unlike 7.º-2 it does "
            "not say that they may be raised."
        ),
        why=(
            "«Novas apostas poderão ser aceites» allows more on the same chance, which is the same as a raise; the "
            "consequence of a tie is that of art. 7.º."
        ),
    ),
    Reading(
        id="T7",
        says="A carried `main` suffices for a `tie` wager on its seat, and so does that of another bettor.",
        doubt="8.º-3 asks for wagers that are already on the seat («desde que haja já apostas colocadas»).",
        why="A carried wager lies there already; the text asks for no new one and names no bettor.",
    ),
    Reading(
        id="T9",
        says="5 % is taken of what `main`, `odd` and `even` win, never of a stake and of no other wager.",
        doubt="10.º takes 5 % of the prizes of «alíneas 1) e 2)» of art. 9.º.",
        why="A prize is what is won; the higher prizes of 3) to 5) are left whole.",
        example="100 on `main` wins 95, 100 on `tie` 2000.",
    ),
    Reading(
        id="T11",
        says="`deal` says whether the places get their three cards one by one in turns, or all three at once.",
        doubt="2.º-2 has each place receive «um total de 3 cartas», from the first player's to the banker's.",
        why="Both ways begin with the first player and end with the banker; a house must choose one and keep to it.",
    ),
    Reading(
        id="T12",
        says="30 to 40 cards lie behind the cut card, both included.",
        doubt="2.º-1 puts the second white card «entre as últimas 30 ou 40 cartas».",
        why="Fewer than 30 or more than 40 is neither; what lies between both numbers is meant.",
    ),
    Reading(
        id="T14",
        says="Only seats with a wager are dealt cards, and the banker.",
        doubt="2.º-2 gives three cards to «cada lugar», 4.º-1 deals by the number of players present.",
        why="A hand without a wager can win nothing; the cards go where something is at stake.",
    ),
    Reading(
        id="T15",
        says=(
            "At a table without stakes the prompt before the bets names a person's duty: no part of a carried stake "
            "is withdrawn (7.º-2). The table enforces that its seat plays."
        ),
        doubt="7.º-2 forbids withdrawing a tied stake, and a table without stakes records no amounts.",
        why="The table knows that a wager is carried, not its amount; only people see whether chips leave the layout.",
    ),
)
